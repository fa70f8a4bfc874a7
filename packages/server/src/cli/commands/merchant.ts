/** `titian merchant`: registers merchants of partners, lists, changes, suspends and resumes them. */
import { type Command, Option } from "commander";
import type { MerchantTermsInput } from "../../admin/merchant-input.ts";
import { changeMerchant, type MerchantChange, registerMerchant } from "../../admin/merchants.ts";
import type { Core } from "../../compose/core.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { findMerchant } from "../../store/reference/reference.ts";
import { readAmount } from "../tables/amounts.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { readDuration } from "../duration.ts";
import { formatMerchants } from "../tables/merchant-table.ts";
import { note, print } from "../output.ts";
import { limitHelp, pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { valueOf, withCore } from "../with-core.ts";

interface SettingsFlags {
  readonly name?: string;
  readonly settlementAccount?: string;
  /** false: `--no-payer-account`. */
  readonly payerAccount?: string | false;
  /** false: `--no-default-hold`. */
  readonly defaultHold?: string | false;
  readonly holdFor?: string;
  readonly customerToken?: "required" | "optional";
}

interface OfPartner {
  readonly partner: string;
}

type ListFlags = Partial<OfPartner> & { readonly limit: string; readonly after?: string };

type AddFlags = OfPartner & SettingsFlags & { readonly name: string; readonly settlementAccount: string };

type End = (code: ExitCode) => void;

const examples = `
Examples:
  titian merchant add FUEL-7 --partner SHOP01 --name "SPBU 7" --settlement-account 812345678901 --default-hold 300000.00
  titian merchant change FUEL-7 --partner SHOP01 --hold-for 12h --no-payer-account
  titian merchant suspend FUEL-7 --partner SHOP01

Existing holds keep their accounts, amount and expiry.`;

export function addMerchant(program: Command, end: End): void {
  const merchant = program
    .command("merchant")
    .description("register merchants, list, change, suspend and resume them")
    .addHelpText("afterAll", examples);
  withSettings(ofPartner(merchant.command("add").description("register a merchant of a partner")))
    .requiredOption("--name <name>", "name of the merchant")
    .requiredOption("--settlement-account <number>", "account credited by captures")
    .action(async (merchantId: string, flags: AddFlags) => {
      await withCore((core) => add(core, merchantId, flags));
      print(`Registered merchant ${merchantId} of ${flags.partner}.`);
      end(exitCodes.done);
    });
  withSettings(ofPartner(merchant.command("change").description("change the given settings of a merchant")))
    .option("--name <name>", "name of the merchant")
    .option("--settlement-account <number>", "account credited by captures of new holds")
    .option("--no-payer-account", "calls must name the payer account")
    .option("--no-default-hold", "calls must name the amount")
    .action(async (merchantId: string, { partner, ...flags }: OfPartner & SettingsFlags) => {
      if (Object.keys(flags).length === 0)
        throw usageError("Nothing to change was given: titian merchant change --help");
      await withCore((core) => change(core, partner, merchantId, flags));
      print(`Changed merchant ${merchantId} of ${partner}.`);
      end(exitCodes.done);
    });
  addStatusVerbs(merchant, end);
  merchant
    .command("list")
    .description("list merchants with their settings")
    .option("--partner <id>", "merchants of this partner only")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <merchant id>", "start after this merchant; needs --partner")
    .action(async (flags: ListFlags) => {
      await list(flags);
      end(exitCodes.done);
    });
}

async function list({ partner, after, limit }: ListFlags): Promise<void> {
  if (after !== undefined && partner === undefined)
    throw usageError("--after needs --partner, because merchant ids are unique per partner.");
  const flags = { partner, after, limit: pageSizeOf(limit) };
  const { table, next } = await withCore((core) => formatMerchants(core, flags));
  print(table);
  if (next) note(`\nMore: titian merchant list --partner ${next.partnerId} --after ${next.merchantId}`);
}

function addStatusVerbs(merchant: Command, end: End): void {
  for (const [verb, status] of [
    ["suspend", "suspended"],
    ["resume", "active"],
  ] as const) {
    const command = merchant.command(verb).description(`${verb} a merchant, on every node within 2 s`);
    if (verb === "resume") command.alias("activate");
    ofPartner(command).action(async (merchantId: string, { partner }: OfPartner) => {
      await withCore(async (core) => valueOf(await changeMerchant(depsOf(core), partner, merchantId, { status })));
      print(`${merchantId} of ${partner} is ${status}.`);
      end(exitCodes.done);
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
    .addOption(
      new Option("--customer-token <need>", "whether payments need a customer token (initially optional)").choices([
        "required",
        "optional",
      ]),
    );
}

async function add(core: Core, merchantId: string, { partner, ...flags }: AddFlags): Promise<void> {
  const terms = readSettings(flags, await currencyOf(core, flags.settlementAccount));
  const { name, settlementAccount: settlementAccountNo } = flags;
  valueOf(
    await registerMerchant(depsOf(core), { ...terms, partnerId: partner, merchantId, name, settlementAccountNo }),
  );
}

async function change(core: Core, partner: string, merchantId: string, flags: SettingsFlags): Promise<void> {
  const { name, settlementAccount } = flags;
  const terms: MerchantChange = {
    ...readSettings(flags, await currencyAfter(core, partner, merchantId, settlementAccount)),
    ...(name !== undefined && { name }),
    ...(settlementAccount !== undefined && { settlementAccountNo: settlementAccount }),
  };
  valueOf(await changeMerchant(depsOf(core), partner, merchantId, terms));
}

function readSettings({ payerAccount, defaultHold, holdFor, customerToken }: SettingsFlags, currency: string) {
  return {
    ...(payerAccount !== undefined && { payerAccountNo: payerAccount === false ? null : payerAccount }),
    ...(defaultHold !== undefined && {
      defaultHoldAmount: defaultHold === false ? null : readAmount("--default-hold", defaultHold, currency),
    }),
    ...(holdFor !== undefined && { holdSeconds: readDuration("--hold-for", holdFor) }),
    ...(customerToken !== undefined && { customerTokenRequired: customerToken === "required" }),
  } satisfies MerchantTermsInput;
}

/** The currency of the given settlement account, else of the current one. */
async function currencyAfter(core: Core, partner: string, merchantId: string, accountNo?: string): Promise<string> {
  if (accountNo !== undefined) return currencyOf(core, accountNo);
  const key = core.reference.byPartnerId(partner)?.key;
  const id = key && (await findMerchant(core.pool, key, merchantId))?.settlementAccount;
  const account = id === undefined ? undefined : (await findAccountsById(core.pool, [id])).get(id);
  if (account === undefined) throw new CliError(`${partner} has no merchant ${merchantId}: titian merchant list`);
  return account.currency;
}

async function currencyOf({ reads }: Core, accountNo: string): Promise<string> {
  const account = await reads.findAccountByNumber(accountNo);
  if (account === undefined) throw new CliError(`There is no account ${accountNo}: titian account list`);
  return account.currency;
}

function depsOf({ adminPool, secrets, clock }: Core) {
  return { database: adminPool, secrets, clock };
}
