/** `titian account`: opens holders' accounts, lists them, blocks, wakes and closes them. */
import { Argument, type Command, Option } from "commander";
import { changeAccount, openAccount } from "../../admin/accounts.ts";
import type { Core } from "../../compose/core.ts";
import type { Account, AccountStatus } from "../../ledger/account.ts";
import { listEntries } from "../../store/reads/entries.ts";
import { listAccounts } from "../../store/reads/list-accounts.ts";
import { readAmount, showAmount } from "../amounts.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatEntries } from "../entry-table.ts";
import { note, print } from "../output.ts";
import { pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { formatTable } from "../table.ts";
import { valueOf, withCore } from "../with-core.ts";

interface OpenFlags {
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly balance: string;
  readonly accountNo?: string;
  readonly partner?: readonly string[];
}

interface ListFlags {
  readonly after?: string;
  readonly limit: string;
}

interface EntriesFlags {
  readonly before?: string;
  readonly limit: string;
}

const statuses = ["active", "dormant", "blocked", "closed"];

const examples = `
Examples:
  titian account open --name "Siti Nur Aini" --balance 5000000.00 --partner SHOP01
  titian account list --limit 20
  titian account entries unclaimed:IDR
  titian account status 812345678901 blocked`;

export function addAccount(program: Command, end: (code: ExitCode) => void): void {
  const account = program
    .command("account")
    .description("open accounts, list them and their entries, change their status");
  account
    .command("open")
    .description("open an account of a holder; its opening balance comes from the currency's funding account")
    .requiredOption("--name <name>", "the holder")
    .option("--account-no <number>", "default: twelve new digits")
    .option("--currency <code>", "ISO 4217", "IDR")
    .addOption(new Option("--type <type>", "D current account, S savings").choices(["D", "S"]).default("S"))
    .option("--balance <amount>", "opening balance, as 1000.00", "0")
    .option("--partner <id>", "partner that may debit it; repeatable", collect)
    .addHelpText("after", examples)
    .action(async (flags: OpenFlags) => {
      show([await withCore((core) => open(core, flags))]);
      end(exitCodes.done);
    });
  account
    .command("list")
    .description("list holders' accounts in the order of their numbers")
    .option("--limit <n>", "at most so many, up to 1000", pageSizeDefault)
    .option("--after <number>", "from the account behind this one")
    .action(async ({ after, limit }: ListFlags) => {
      const most = pageSizeOf(limit);
      const page = await withCore(({ pool }) => listAccounts(pool, { after, limit: most }));
      show(page);
      if (page.length === most) note(`\nMore: titian account list --after ${page.at(-1)?.accountNo}`);
      end(exitCodes.done);
    });
  account
    .command("entries")
    .description("list the entries of an account, one of ours included, newest first")
    .argument("<account no>")
    .option("--limit <n>", "at most so many, up to 1000", pageSizeDefault)
    .option("--before <version>", "those before this one")
    .action(async (accountNo: string, flags: EntriesFlags) => {
      await withCore((core) => showEntries(core, accountNo, flags));
      end(exitCodes.done);
    });
  account
    .command("status")
    .description("block, wake or close an account; a closed one stays closed")
    .argument("<account no>")
    .addArgument(new Argument("<status>").choices(statuses))
    .action(async (accountNo: string, status: AccountStatus) => {
      show([await withCore(async (core) => valueOf(await changeAccount(ledgerDeps(core), accountNo, { status })))]);
      end(exitCodes.done);
    });
}

async function open(core: Core, flags: OpenFlags): Promise<Account> {
  const { name, currency, type, accountNo, partner = [] } = flags;
  const partners = partner.map((partnerId) => {
    const key = core.reference.byPartnerId(partnerId)?.key;
    if (key === undefined) throw new CliError(`There is no partner ${partnerId}: titian partner list`);
    return key;
  });
  const balance = readAmount("--balance", flags.balance, currency);
  const account = { name, currency, type, balance, partners, ...(accountNo !== undefined && { accountNo }) };
  return valueOf(await openAccount(ledgerDeps(core), account));
}

async function showEntries({ pool, reads }: Core, accountNo: string, flags: EntriesFlags): Promise<void> {
  const account = await reads.findAccountByNumber(accountNo);
  if (account === undefined) {
    throw new CliError(
      `There is no account ${accountNo}: titian account list. One of ours, as unclaimed:IDR, is there from its first money on.`,
    );
  }
  if (flags.before !== undefined && !/^\d{1,15}$/.test(flags.before)) {
    throw usageError(`--before ${flags.before} is no version of an account: versions are numbered from 1.`);
  }
  const before = flags.before === undefined ? account.version + 1 : Number(flags.before);
  const entries = await listEntries(pool, account.id, { before, limit: pageSizeOf(flags.limit) });
  print(formatEntries(entries, account.currency));
  const last = entries.at(-1)?.version ?? 1;
  if (last > 1) note(`\nMore: titian account entries ${accountNo} --before ${last}`);
}

function ledgerDeps({ engine, clock, pool }: Core) {
  return { engine, clock, reads: pool };
}

function show(accounts: readonly Account[]): void {
  const columns = {
    accountNo: "account",
    name: "name",
    currency: "currency",
    type: "type",
    status: "status",
    ledger: "ledger balance",
    available: "available balance",
  };
  const rows = accounts.map((account) => ({
    ...account,
    ledger: showAmount(account.balance, account.currency),
    available: showAmount(account.balance - account.held, account.currency),
  }));
  print(formatTable(columns, rows));
}

function collect(partnerId: string, before: readonly string[] = []): readonly string[] {
  return [...before, partnerId];
}
