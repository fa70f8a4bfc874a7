/** Actions of `titian account`. */
import type { AccountView } from "@titian/sandbox/types";
import { newSecret } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { CallRejected } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatJson, note, print } from "../output.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

export interface OpenFlags {
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly balance: string;
  readonly accountNo?: string;
  readonly partner?: readonly string[];
  readonly reason?: string;
}

export interface FundFlags {
  readonly reference?: string;
  readonly currency?: string;
  readonly reason?: string;
  readonly json?: true;
}

export interface ListFlags {
  readonly after?: string;
  readonly limit: string;
  readonly json?: true;
}

export interface EntriesFlags {
  readonly before?: string;
  readonly limit: string;
  readonly json?: true;
}

export async function open({ partner, ...account }: OpenFlags): Promise<void> {
  const body = { ...account, partnerIds: partner };
  show([await withCalls((call) => call("POST /accounts", { body }))]);
}

/** The reference is made once for each command: who repeats a command gives it, and the money comes once. */
export async function fund(accountNo: string, amount: string, flags: FundFlags): Promise<void> {
  const { reference = newReference(), currency, reason, json } = flags;
  const given = { params: { accountNo }, body: { amount, currency, reference, reason } };
  const funded = await withCalls((call) => call("POST /accounts/{accountNo}/fund", given)).catch((error: unknown) => {
    if (!(error instanceof CallRejected))
      note(`With --reference ${reference} the command funds once, however often it runs.`);
    throw error;
  });
  if (json === true) print(formatJson(funded));
  else show([funded]);
}

const newReference = () => `cli-${newSecret(12)}`;

export async function list({ after, limit, json }: ListFlags): Promise<void> {
  const query = { after, limit: pageSizeOf(limit) };
  const answer = await withCalls((call) => call("GET /accounts", { query }));
  const { accounts, next } = answer;
  if (json) return print(formatList(answer, accounts, ["ledgerBalance", "availableBalance"]));
  show(accounts);
  if (next !== null) note(`\nMore: titian account list --after ${next}`);
}

const entryColumns = {
  version: "version",
  at: "time",
  kind: "kind",
  debit: amountColumn("debit"),
  credit: amountColumn("credit"),
  balanceAfter: amountColumn("ledger balance"),
  referenceNo: "reference no",
};

export async function showEntries(accountNo: string, { before, limit, json }: EntriesFlags): Promise<void> {
  if (before !== undefined && !/^\d{1,15}$/.test(before))
    throw usageError(`--before ${before} is not a version of an account: versions are numbered from 1.`);
  const given = { params: { accountNo }, query: { before, limit: pageSizeOf(limit) } };
  const answer = await withCalls((call) => call("GET /accounts/{accountNo}/entries", given));
  const { entries, gaps, next } = answer;
  if (json) return print(formatList(answer, entries));
  print(
    formatTable(
      entryColumns,
      entries.map((entry) => ({ ...entry, [entry.direction]: entry.amount })),
    ),
  );
  for (const { first, last } of gaps)
    note(`\nEntries ${first} to ${last} of the account are in detached partitions: titian database partitions`);
  if (next !== null) note(`\nMore: titian account entries ${accountNo} --before ${next}`);
}

export async function setStatus(accountNo: string, status: AccountView["status"]): Promise<void> {
  const given = { params: { accountNo }, body: { status } };
  show([await withCalls((call) => call("PATCH /accounts/{accountNo}", given))]);
}

const columns = {
  accountNo: "account",
  name: "name",
  currency: "currency",
  type: "type",
  status: "status",
  ledgerBalance: amountColumn("ledger balance"),
  availableBalance: amountColumn("available balance"),
};

function show(accounts: readonly AccountView[]): void {
  print(formatTable(columns, accounts));
}
