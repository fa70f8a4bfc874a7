/** `titian merchant`: gives partners merchants, lists them, changes, suspends and resumes them. */
import { type Command, Option } from "commander";
import type { MerchantTermsInput } from "../../admin/merchant-input.ts";
import { changeMerchant, type MerchantChange, registerMerchant } from "../../admin/merchants.ts";
import type { Core } from "../../compose/core.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { findMerchant } from "../../store/reference.ts";
import { readAmount } from "../amounts.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { readHoldTime } from "../hold-time.ts";
import { formatMerchants } from "../merchant-table.ts";
import { note, print } from "../output.ts";
import { pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { valueOf, withCore } from "../with-core.ts";

interface TermsFlags {
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

type AddFlags = OfPartner & TermsFlags & { readonly name: string; readonly settlementAccount: string };

type End = (code: ExitCode) => void;

const examples = `
Examples:
  titian merchant add FUEL-7 --partner SHOP01 --name "SPBU 7" --settlement-account 812345678901 --default-hold 300000.00
  titian merchant change FUEL-7 --partner SHOP01 --hold-for 12h --no-payer-account
  titian merchant suspend FUEL-7 --partner SHOP01

Holds placed before a change keep the accounts, the amount and the time they were placed with.`;

export function addMerchant(program: Command, end: End): void {
  const merchant = program
    .command("merchant")
    .description("register merchants, change, suspend and resume them")
    .addHelpText("afterAll", examples);
  withTerms(ofPartner(merchant.command("add").description("register a merchant of a partner")))
    .requiredOption("--name <name>", "who it is")
    .requiredOption("--settlement-account <number>", "where captured money goes")
    .action(async (merchantId: string, flags: AddFlags) => {
      await withCore((core) => add(core, merchantId, flags));
      print(`${merchantId} is a merchant of ${flags.partner}.`);
      end(exitCodes.done);
    });
  withTerms(ofPartner(merchant.command("change").description("change what is given of a merchant's terms")))
    .option("--name <name>", "who it is")
    .option("--settlement-account <number>", "where captured money of new holds goes")
    .option("--no-payer-account", "a call must say who pays")
    .option("--no-default-hold", "a call must name the amount")
    .action(async (merchantId: string, { partner, ...flags }: OfPartner & TermsFlags) => {
      if (Object.keys(flags).length === 0) throw usageError("Say what to change: titian merchant change --help");
      await withCore((core) => change(core, partner, merchantId, flags));
      print(`${merchantId} of ${partner} is changed.`);
      end(exitCodes.done);
    });
  addStatusVerbs(merchant, end);
  merchant
    .command("list")
    .description("list merchants, and what holds for them")
    .option("--partner <id>", "of one partner only")
    .option("--limit <n>", "maximum rows, up to 1000", pageSizeDefault)
    .option("--after <merchant id>", "start after this merchant; needs --partner")
    .action(async (flags: ListFlags) => {
      await list(flags);
      end(exitCodes.done);
    });
}

async function list({ partner, after, limit }: ListFlags): Promise<void> {
  if (after !== undefined && partner === undefined)
    throw usageError("--after needs --partner: its merchants have the id.");
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
    const command = merchant.command(verb).description(`${verb} a merchant: every node works by it within 2 s`);
    if (verb === "resume") command.alias("activate");
    ofPartner(command).action(async (merchantId: string, { partner }: OfPartner) => {
      await withCore(async (core) => valueOf(await changeMerchant(depsOf(core), partner, merchantId, { status })));
      print(`${merchantId} of ${partner} is ${status}.`);
      end(exitCodes.done);
    });
  }
}

function ofPartner(command: Command): Command {
  return command.argument("<merchant id>", "merchantId in its calls").requiredOption("--partner <id>", "its partner");
}

function withTerms(command: Command): Command {
  return command
    .option("--payer-account <number>", "who pays when a call does not say")
    .option("--default-hold <amount>", "what is held when a call names no amount")
    .option("--hold-for <time>", "how long a hold lasts when a call does not say, 60s to 90d; at first 7d")
    .addOption(
      new Option("--customer-token <need>", "whether payments need a customer token; at first optional").choices([
        "required",
        "optional",
      ]),
    );
}

async function add(core: Core, merchantId: string, { partner, ...flags }: AddFlags): Promise<void> {
  const terms = readTerms(flags, await currencyOf(core, flags.settlementAccount));
  const { name, settlementAccount: settlementAccountNo } = flags;
  valueOf(
    await registerMerchant(depsOf(core), { ...terms, partnerId: partner, merchantId, name, settlementAccountNo }),
  );
}

async function change(core: Core, partner: string, merchantId: string, flags: TermsFlags): Promise<void> {
  const { name, settlementAccount } = flags;
  const terms: MerchantChange = {
    ...readTerms(flags, await currencyAfter(core, partner, merchantId, settlementAccount)),
    ...(name !== undefined && { name }),
    ...(settlementAccount !== undefined && { settlementAccountNo: settlementAccount }),
  };
  valueOf(await changeMerchant(depsOf(core), partner, merchantId, terms));
}

function readTerms({ payerAccount, defaultHold, holdFor, customerToken }: TermsFlags, currency: string) {
  return {
    ...(payerAccount !== undefined && { payerAccountNo: payerAccount === false ? null : payerAccount }),
    ...(defaultHold !== undefined && {
      defaultHoldAmount: defaultHold === false ? null : readAmount("--default-hold", defaultHold, currency),
    }),
    ...(holdFor !== undefined && { holdSeconds: readHoldTime("--hold-for", holdFor) }),
    ...(customerToken !== undefined && { customerTokenRequired: customerToken === "required" }),
  } satisfies MerchantTermsInput;
}

/** The currency of the settlement account it will have: the one given, else the one it has. */
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
