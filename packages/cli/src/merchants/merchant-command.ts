/** `titian merchant`: registers merchants of partners, shows, lists, changes, suspends and resumes them. */
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import type { AddFlags, ListFlags, OfPartner, SettingsFlags } from "./merchant-actions.ts";
import { print } from "../output.ts";
import { type ActFlags, withActOptions } from "../options/act-options.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./merchant-actions.ts");

const examples = `
Examples:
  titian merchant add FUEL-7 --partner SHOP01 --name "SPBU 7" --settlement-account 812345678901 --default-hold 300000.00
  titian merchant change FUEL-7 --partner SHOP01 --hold-for 12h --no-payer-account
  titian merchant suspend FUEL-7 --partner SHOP01

Existing holds keep their accounts, amount and expiry.`;

export function addMerchant(program: Command): void {
  const merchant = program
    .command("merchant")
    .description("register merchants, show, list, change, suspend and resume them")
    .addHelpText("afterAll", examples);
  withActOptions(withSettings(ofPartner(merchant.command("add").description("register a merchant of a partner"))))
    .requiredOption("--name <name>", "name of the merchant")
    .requiredOption("--settlement-account <number>", "account credited by captures")
    .action(async (merchantId: string, flags: AddFlags) => {
      await (await actions()).add(merchantId, flags);
      print(`Registered merchant ${merchantId} of ${flags.partner}.`);
    });
  withActOptions(
    withSettings(ofPartner(merchant.command("change").description("change the given settings of a merchant"))),
  )
    .option("--name <name>", "name of the merchant")
    .option("--settlement-account <number>", "account credited by captures of new holds")
    .option("--no-payer-account", "calls must name the payer account")
    .option("--no-default-hold", "calls must name the amount")
    .action(async (merchantId: string, { partner, ...flags }: OfPartner & SettingsFlags) => {
      if (Object.keys(flags).every((name) => name === "reason" || name === "ticket"))
        throw usageError("Nothing to change was given: titian merchant change --help");
      await (await actions()).change(partner, merchantId, flags);
      print(`Changed merchant ${merchantId} of ${partner}.`);
    });
  addStatusVerbs(merchant);
  ofPartner(merchant.command("show").description("show a merchant with its settings, and what waits for approval"))
    .option("--json", "as JSON")
    .action(async (merchantId: string, flags: OfPartner & { readonly json?: true }) =>
      (await actions()).show(merchantId, flags),
    );
  merchant
    .command("list")
    .description("list merchants with their settings")
    .option("--partner <id>", "merchants of this partner only")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <merchant id>", "start after this merchant; needs --partner")
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await actions()).list(flags));
}

function addStatusVerbs(merchant: Command): void {
  for (const [verb, does] of [
    ["suspend", "suspend a merchant at once, on every node within 2 s; approved within the day"],
    ["resume", "resume a suspended merchant, on every node within 2 s"],
  ] as const) {
    const command = merchant.command(verb).description(does);
    if (verb === "resume") command.alias("activate");
    withActOptions(ofPartner(command)).action(async (merchantId: string, flags: OfPartner & ActFlags) => {
      await (await actions()).setStatus(merchantId, verb, flags);
    });
  }
}

function ofPartner(command: Command): Command {
  return command.argument("<merchant id>", "merchantId in calls").requiredOption("--partner <id>", "its partner");
}

function withSettings(command: Command): Command {
  return command
    .option("--payer-account <number>", "default payer account")
    .option("--default-hold <amount>", "default amount of a hold")
    .option("--hold-for <time>", "default duration of a hold, 60s to 90d (initially 7d)")
    .option("--refund-days <count>", "for how long a capture may be refunded, 30 to 1825 (initially 365)")
    .addOption(
      new Option("--customer-token <need>", "whether payments need a customer token (initially optional)").choices([
        "required",
        "optional",
      ]),
    );
}
