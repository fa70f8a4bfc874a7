/** `titian partner`: onboards partners, shows, changes, suspends, resumes and retires them, rotates their keys, tests their notifications. */
import { type Command, Option } from "commander";
import { type End, usageError } from "../cli-error.ts";
import { print } from "../output.ts";
import type { ProbeFlags } from "../notifications/probe-action.ts";
import { type ActFlags, withActOptions } from "../options/act-options.ts";
import type { AddFlags, ChangeFlags, KeyFlags, RetireFlags, SecretFlags } from "./partner-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./partner-actions.ts");

const examples = `
Examples:
  titian partner add SHOP01 --name "Toko Sejahtera" --public-key shop/public-key.pem
  titian partner add SHOP01 --name … --public-key … --services 15,17,36 --addresses 203.0.113.0/24
  titian partner change SHOP01 --channel-id-length 10 --timestamp-window 900
  titian partner change SHOP01 --rate-limit 200/s,400
  titian partner change SHOP01 --notification-address https://shop.example/snap
  titian partner secret add SHOP01 --overlap 14d
  titian partner key add SHOP01 --public-key shop/new-public-key.pem
  titian partner show SHOP01
  titian partner notify SHOP01 --test
  titian partner suspend SHOP01 --reason "calls from a stranger's network"

The client secret is generated and shown once: transmit it securely. The partner keeps its private key (\`titian keys new\`).
Then open accounts that it may debit: titian account open … --partner SHOP01`;

const notifyHelp = `
It is signed and sent by this process as a node does it, with TITIAN_PROVIDER_KEY; no receiver books it.

Exit codes: 0 accepted · 1 not accepted, or no such partner · 2 invalid command line, or no provider key.

Examples:
  titian partner notify SHOP01 --test
  titian partner notify SHOP01 --test --service 21 --url https://test.shop.example/snap`;

export async function addPartner(program: Command, end: End): Promise<void> {
  // Commander asks for help synchronously: the contract is loaded before, and only for this command.
  const services = process.argv.includes("notify") ? await listNotifications() : [];
  const partner = program
    .command("partner")
    .description("onboard partners, show, change, suspend, resume and retire them, rotate keys, test notifications");
  withActOptions(withSettings(partner.command("add").description("onboard a partner")))
    .argument("<partner id>", "X-PARTNER-ID of its calls")
    .requiredOption("--name <name>", "name of the partner")
    .requiredOption("--public-key <file>", "its RSA public key in PEM")
    .option("--client-key <key>", "X-CLIENT-KEY for its tokens (default: the partner id)")
    .option("--channel-id <id>", "CHANNEL-ID of its calls", "95221")
    .addOption(
      new Option("--signing <mode>", "symmetric: client secret and access token; asymmetric: private key")
        .choices(["symmetric", "asymmetric"])
        .default("symmetric"),
    )
    .addHelpText("after", examples)
    .action(async (partnerId: string, flags: AddFlags) => (await actions()).add(partnerId, flags));
  withActOptions(withSettings(partner.command("change").description("change the given settings of a partner")))
    .argument("<partner id>")
    .option("--name <name>", "name of the partner")
    .option("--channel-id <id>", "CHANNEL-ID of its calls")
    .action(async (partnerId: string, flags: ChangeFlags) => {
      if (Object.keys(flags).every((name) => name === "reason" || name === "ticket"))
        throw usageError("Nothing to change was given: titian partner change --help");
      await (await actions()).change(partnerId, flags);
      print(`Changed partner ${partnerId}.`);
    });
  partner
    .command("list")
    .description("list all partners")
    .option("--json", "as JSON, with totals")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
  partner
    .command("show")
    .description("show a partner: its settings, its keys and secrets by id, age and end, and what waits for approval")
    .argument("<partner id>")
    .option("--json", "as JSON")
    .action(async (partnerId: string, flags: { readonly json?: true }) => (await actions()).show(partnerId, flags));
  addSecret(partner);
  addKey(partner);
  addNotify(partner, services, end);
  addStatus(partner, end);
}

function addSecret(partner: Command): void {
  const secret = partner.command("secret").description("add a client secret to a partner's, or end one");
  withActOptions(
    withOverlap(
      secret.command("add").description("add a client secret: a new one, which is shown once, or a given one"),
    ),
  )
    .argument("<partner id>")
    .option("--file <file>", "file that holds the secret, such as one that is damaged in the database")
    .action(async (partnerId: string, flags: SecretFlags) => {
      await (await actions()).addSecret(partnerId, flags);
      print(`Added a client secret to partner ${partnerId}.`);
    });
  addRetireKey(secret, "secrets");
}

function addKey(partner: Command): void {
  const key = partner.command("key").description("add a public key to a partner's, end one, list them");
  withActOptions(withOverlap(key.command("add").description("add a public key")))
    .argument("<partner id>")
    .requiredOption("--public-key <file>", "its RSA public key in PEM")
    .action(async (partnerId: string, flags: KeyFlags) => {
      await (await actions()).addKey(partnerId, flags);
      print(`Added a public key to partner ${partnerId}.`);
    });
  addRetireKey(key, "keys");
  key
    .command("list")
    .description("list a partner's keys and secrets by id, age and end")
    .argument("<partner id>")
    .option("--json", "as JSON, with totals")
    .action(async (partnerId: string, flags: { readonly json?: true }) => (await actions()).listKeys(partnerId, flags));
}

function addRetireKey(parent: Command, kind: "secrets" | "keys"): void {
  withActOptions(parent.command("retire").description("end one at once, of another than the last"))
    .argument("<partner id>")
    .argument("<id>", "as titian partner key list shows it")
    .action(async (partnerId: string, id: string, flags: ActFlags) => {
      await (await actions()).retireKey(partnerId, kind, { id, ...flags });
      print(`${id} of partner ${partnerId} has ended.`);
    });
}

function withOverlap(command: Command): Command {
  return command.option("--overlap <time>", "for how long the one before it stays valid; 0s: it ends at once", "7d");
}

/** Service codes, the highest first. */
async function listNotifications(): Promise<readonly string[]> {
  const { operationRows } = await import("@titian/contract");
  const notifications = operationRows.filter(({ kind }) => kind === "notification");
  return notifications
    .map(({ code }) => code)
    .toSorted()
    .toReversed();
}

function addNotify(partner: Command, services: readonly string[], end: End): void {
  partner
    .command("notify")
    .description("send a test notification to a partner and show what came back; the last result is kept")
    .argument("<partner id>")
    .option(
      "--test",
      "may be left out: a test notification is all it sends. Its references begin with TEST, its status is 03",
    )
    .addOption(new Option("--service <code>", "which notification").choices(services).default(services[0]))
    .option("--url <url>", "base URL instead of the partner's address")
    .option("--json", "as JSON")
    .addHelpText("after", notifyHelp)
    .action(async (partnerId: string, flags: ProbeFlags) => {
      const { probe } = await import("../notifications/probe-action.ts");
      end(await probe(partnerId, flags));
    });
}

function addStatus(partner: Command, end: End): void {
  for (const [verb, does] of [
    ["suspend", "suspend a partner at once, on every node within 2 s; approved within the day"],
    ["resume", "resume a suspended partner, on every node within 2 s"],
  ] as const) {
    withActOptions(partner.command(verb).description(does))
      .argument("<partner id>")
      .action(async (partnerId: string, flags: ActFlags) => (await actions()).setStatus(partnerId, verb, flags));
  }
  withActOptions(
    partner
      .command("retire")
      .description("retire a partner for good: no call is accepted, its keys end, its records stay"),
  )
    .argument("<partner id>")
    .option("--yes", "skip confirmation")
    .action(async (partnerId: string, flags: RetireFlags) => end(await (await actions()).retire(partnerId, flags)));
}

function withSettings(command: Command): Command {
  return command
    .option("--services <codes>", "service codes it may call, comma-separated (initially all)")
    .option("--addresses <ranges>", "IP addresses or CIDR ranges it may call from, comma-separated (initially any)")
    .option("--channel-id-length <characters>", "maximum length of CHANNEL-ID, 1 to 36 (initially 5)")
    .option(
      "--timestamp-window <seconds>",
      "allowed clock difference of X-TIMESTAMP, 1 to 3600 (initially the service's)",
    )
    .option(
      "--rate-limit <rate>",
      "calls a second, and how many at once after a pause, on each node: 50/s,100; none: no limit (initially 50/s,100)",
    )
    .option(
      "--notification-address <url>",
      "base URL that notifications (21, 75, 76) are sent to, or none (initially none)",
    )
    .addOption(
      new Option(
        "--notification-signing <mode>",
        "asymmetric: our private key; symmetric: a token of the partner and its client secret (initially asymmetric)",
      ).choices(["asymmetric", "symmetric"]),
    )
    .addOption(
      new Option(
        "--notification-signed-path <part>",
        "whole: the path of the URL with its query; service: version and service path alone, without those of the address (initially whole)",
      ).choices(["whole", "service"]),
    )
    .option(
      "--notification-network <network>",
      "private network that its notifications may go to, too, such as private:10.20.0.0/16; may be repeated; none: public addresses alone (initially none)",
      collect,
    )
    .addOption(
      new Option(
        "--notification-tls-min <version>",
        "oldest TLS that its notifications may go over: 1.2 for a receiver that has nothing newer (initially 1.3)",
      ).choices(["1.2", "1.3"]),
    )
    .option(
      "--client-certificate <file>",
      "certificate in PEM, or its SHA-256, with which it must call; may be repeated up to 4 times; none: without one (initially none)",
      collect,
    )
    .addOption(
      new Option(
        "--tls-min <version>",
        "oldest TLS that it may call over: 1.2 where TITIAN_TLS_MIN permits it (initially 1.3)",
      ).choices(["1.2", "1.3"]),
    )
    .option(
      "--cells <numbers>",
      "all cells in which it may have accounts, comma-separated, 0 for home; a cell that it has stays (initially 0)",
    );
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
