/** What `titian account` runs. */
import {
  changeAccount,
  listAccounts,
  listEntries,
  openAccount,
  summarizeAccount,
  type Account,
  type AccountStatus,
  type Core,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { readAmount } from "../tables/amounts.ts";
import { valueOf, withCore } from "../with-core.ts";
import { formatAccounts, formatEntries } from "./account-tables.ts";

export interface OpenFlags {
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly balance: string;
  readonly accountNo?: string;
  readonly partner?: readonly string[];
}

export interface ListFlags {
  readonly after?: string;
  readonly limit: string;
}

export interface EntriesFlags {
  readonly before?: string;
  readonly limit: string;
}

export async function open(flags: OpenFlags): Promise<void> {
  show(await withCore((core) => openOn(core, flags)));
}

export async function list({ after, limit }: ListFlags): Promise<void> {
  const size = pageSizeOf(limit);
  const page = await withCore((core) => listAccounts(core, { after, limit: size }));
  print(formatAccounts(page));
  if (page.length === size) note(`\nMore: titian account list --after ${page.at(-1)?.accountNo}`);
}

export async function showEntries(accountNo: string, { before, limit }: EntriesFlags): Promise<void> {
  const page = { before: before === undefined ? undefined : readVersion(before), limit: pageSizeOf(limit) };
  const found = await withCore((core) => listEntries(core, accountNo, page));
  if (found === undefined) {
    throw new CliError(
      `There is no account ${accountNo}: titian account list. An internal account such as unclaimed:IDR exists from its first entry.`,
    );
  }
  print(formatEntries(found.entries, found.currency));
  for (const { first, last } of found.gaps)
    note(`\nEntries ${first} to ${last} of the account are in detached partitions: titian database partitions`);
  if (found.next !== undefined) note(`\nMore: titian account entries ${accountNo} --before ${found.next}`);
}

export async function setStatus(accountNo: string, status: AccountStatus): Promise<void> {
  show(await withCore(async (core) => valueOf(await changeAccount(accountDeps(core), accountNo, { status }))));
}

async function openOn(core: Core, flags: OpenFlags): Promise<Account> {
  const { name, currency, type, accountNo, partner = [] } = flags;
  const partners = partner.map((partnerId) => {
    const key = core.reference.byPartnerId(partnerId)?.key;
    if (key === undefined) throw new CliError(`There is no partner ${partnerId}: titian partner list`);
    return key;
  });
  const balance = readAmount("--balance", flags.balance, currency);
  const account = { name, currency, type, balance, partners, ...(accountNo !== undefined && { accountNo }) };
  return valueOf(await openAccount(accountDeps(core), account));
}

function accountDeps({ administrationEngine, clock, pool }: Core) {
  return { administrationEngine, clock, reads: pool };
}

function show(account: Account): void {
  print(formatAccounts([summarizeAccount(account)]));
}

function readVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError(`--before ${text} is not a version of an account: versions are numbered from 1.`);
}
