/** `titian partner`: onboards partners, lists them, changes, suspends and resumes them. */
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { PartnerTermsInput } from "../../admin/partner-input.ts";
import { changePartner, onboardPartner, setPartnerStatus } from "../../admin/partners.ts";
import type { Core } from "../../compose/core.ts";
import { newSecret } from "../../ids.ts";
import type { PartnerRow } from "../../store/reference/reference.ts";
import { readChangedPartners } from "../../store/reference/reference-pages.ts";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { valueOf, withCore } from "../with-core.ts";

interface SettingsFlags {
  readonly services?: string;
  readonly addresses?: string;
  readonly channelIdLength?: string;
  readonly timestampWindow?: string;
}

interface ChangeFlags extends SettingsFlags {
  readonly name?: string;
  readonly channelId?: string;
}

interface AddFlags extends SettingsFlags {
  readonly name: string;
  readonly publicKey: string;
  readonly clientKey?: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
}

const examples = `
Examples:
  titian partner add SHOP01 --name "Toko Sejahtera" --public-key shop/public-key.pem
  titian partner add SHOP01 --name … --public-key … --services 15,17,36 --addresses 203.0.113.0/24
  titian partner change SHOP01 --channel-id-length 10 --timestamp-window 900
  titian partner suspend SHOP01

The client secret is generated and shown once: transmit it securely. The partner keeps its private key (\`titian keys new\`).
Then open accounts that it may debit: titian account open … --partner SHOP01`;

export function addPartner(program: Command, end: (code: ExitCode) => void): void {
  const partner = program.command("partner").description("onboard partners, list, change, suspend and resume them");
  withSettings(partner.command("add").description("onboard a partner"))
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
    .action(async (partnerId: string, flags: AddFlags) => {
      await withCore((core) => add(core, partnerId, flags));
      end(exitCodes.done);
    });
  withSettings(partner.command("change").description("change the given settings of a partner"))
    .argument("<partner id>")
    .option("--name <name>", "name of the partner")
    .option("--channel-id <id>", "CHANNEL-ID of its calls")
    .action(async (partnerId: string, flags: ChangeFlags) => {
      if (Object.keys(flags).length === 0)
        throw usageError("Nothing to change was given: titian partner change --help");
      const { name, channelId } = flags;
      const names = { ...(name !== undefined && { name }), ...(channelId !== undefined && { channelId }) };
      await withCore(async (core) =>
        valueOf(await changePartner(referenceDeps(core), partnerId, { ...names, ...readSettings(flags) })),
      );
      print(`Changed partner ${partnerId}.`);
      end(exitCodes.done);
    });
  partner
    .command("list")
    .description("list all partners")
    .action(async () => {
      await withCore(list);
      end(exitCodes.done);
    });
  for (const [verb, status] of [
    ["suspend", "suspended"],
    ["resume", "active"],
  ] as const) {
    partner
      .command(verb)
      .description(`${verb} a partner, on every node within 2 s`)
      .argument("<partner id>")
      .action(async (partnerId: string) => {
        await withCore(async (core) => valueOf(await setPartnerStatus(referenceDeps(core), partnerId, status)));
        print(`${partnerId} is ${status}.`);
        end(exitCodes.done);
      });
  }
}

function withSettings(command: Command): Command {
  return command
    .option("--services <codes>", "service codes it may call, comma-separated (initially all)")
    .option("--addresses <ranges>", "IP addresses or CIDR ranges it may call from, comma-separated (initially any)")
    .option("--channel-id-length <characters>", "maximum length of CHANNEL-ID, 1 to 36 (initially 5)")
    .option(
      "--timestamp-window <seconds>",
      "allowed clock difference of X-TIMESTAMP, 1 to 3600 (initially the service's)",
    );
}

function readSettings({ services, addresses, channelIdLength, timestampWindow }: SettingsFlags): PartnerTermsInput {
  return {
    ...(services !== undefined && { services: splitList(services) }),
    ...(addresses !== undefined && { addresses: splitList(addresses) }),
    ...(channelIdLength !== undefined && { channelIdLengthMax: Number(channelIdLength) }),
    ...(timestampWindow !== undefined && { timestampWindowSeconds: Number(timestampWindow) }),
  };
}

async function add(core: Core, partnerId: string, flags: AddFlags): Promise<void> {
  const { name, channelId, signing, clientKey = partnerId } = flags;
  const secret = signing === "symmetric" ? newSecret(32) : undefined;
  valueOf(
    await onboardPartner(referenceDeps(core), {
      partnerId,
      clientKey,
      name,
      channelId,
      signing,
      secrets: secret === undefined ? [] : [secret],
      publicKeys: [readKey(flags.publicKey)],
      ...readSettings(flags),
    }),
  );
  print(
    `partner id     ${partnerId}\nclient key     ${clientKey}\nchannel id     ${channelId}\nsigning        ${signing}`,
  );
  if (secret === undefined) return;
  print(`client secret  ${secret}`);
  note("\nThe client secret is stored encrypted and not shown again.");
}

async function list({ pool }: Core): Promise<void> {
  const partners: PartnerRow[] = [];
  for await (const page of readChangedPartners(pool, 0)) partners.push(...page);
  const rows = partners
    .map(({ settings, ...partner }) => ({ ...partner, services: settings.services }))
    .toSorted((a, b) => a.partnerId.localeCompare(b.partnerId));
  const columns = {
    partnerId: "partner",
    name: "name",
    status: "status",
    clientKey: "client key",
    channelId: "channel",
    signing: "signing",
    services: "services",
  };
  print(formatTable(columns, rows));
}

function referenceDeps({ adminPool, secrets, clock }: Core) {
  return { database: adminPool, secrets, clock };
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`--public-key ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
