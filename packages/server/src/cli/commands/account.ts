/** `titian account`: opens customer accounts, lists them and their entries, changes their status. */
import { Argument, type Command, Option } from "commander";
import { changeAccount, openAccount } from "../../admin/accounts.ts";
import type { Core } from "../../compose/core.ts";
import type { Account, AccountStatus } from "../../ledger/accounts/account.ts";
import { listEntries } from "../../store/reads/entries.ts";
import { listAccounts } from "../../store/reads/list-accounts.ts";
import { readAmount, showAmount } from "../tables/amounts.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatEntries } from "../tables/entry-table.ts";
import { note, print } from "../output.ts";
import { limitHelp, pageSizeDefault, pageSizeOf } from "../page-size.ts";
import { formatTable } from "../tables/table.ts";
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
    .description("open a customer account; the opening balance is debited from the currency's funding account")
    .requiredOption("--name <name>", "account holder")
    .option("--account-no <number>", "default: 12 random digits")
    .option("--currency <code>", "ISO 4217", "IDR")
    .addOption(new Option("--type <type>", "D current account, S savings").choices(["D", "S"]).default("S"))
    .option("--balance <amount>", "opening balance, such as 1000.00", "0")
    .option("--partner <id>", "partner authorized to debit it; repeatable", collect)
    .addHelpText("after", examples)
    .action(async (flags: OpenFlags) => {
      show([await withCore((core) => open(core, flags))]);
      end(exitCodes.done);
    });
  account
    .command("list")
    .description("list customer accounts, sorted by number")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this account")
    .action(async ({ after, limit }: ListFlags) => {
      const size = pageSizeOf(limit);
      const page = await withCore(({ pool }) => listAccounts(pool, { after, limit: size }));
      show(page);
      if (page.length === size) note(`\nMore: titian account list --after ${page.at(-1)?.accountNo}`);
      end(exitCodes.done);
    });
  account
    .command("entries")
    .description("list the entries of a customer or internal account, newest first")
    .argument("<account no>")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--before <version>", "start before this version")
    .action(async (accountNo: string, flags: EntriesFlags) => {
      await withCore((core) => showEntries(core, accountNo, flags));
      end(exitCodes.done);
    });
  account
    .command("status")
    .description("block, reactivate or close an account; closing is final")
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
      `There is no account ${accountNo}: titian account list. An internal account such as unclaimed:IDR exists from its first entry.`,
    );
  }
  if (flags.before !== undefined && !/^\d{1,15}$/.test(flags.before)) {
    throw usageError(`--before ${flags.before} is not a version of an account: versions are numbered from 1.`);
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
