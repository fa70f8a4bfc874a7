/** Actions of `titian account`. */
import type { AccountView } from "@titian/sandbox/types";
import type { HeldStatus } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags, ReferenceFlags } from "../options/act-options.ts";
import { once } from "../options/once.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { formatJson, note, print } from "../output.ts";
import { type Field, formatFields } from "../tables/fields.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

export interface OpenFlags extends ActFlags {
  readonly name: string;
  readonly currency: string;
  readonly type: "D" | "S";
  readonly balance: string;
  readonly accountNo?: string;
  readonly partner?: readonly string[];
}

export interface JsonFlags {
  readonly json?: true;
}

export interface AmountFlags extends ReferenceFlags, JsonFlags {
  readonly currency?: string;
}

export interface ChangeFlags extends ActFlags, JsonFlags {}

export interface LimitFlags extends ChangeFlags {
  readonly each?: string;
  readonly daily?: string;
  readonly dailyCount?: string;
  readonly minimumBalance?: string;
}

export interface CorrectFlags extends AmountFlags {
  readonly debit?: readonly string[];
  readonly credit?: readonly string[];
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

export async function fund(accountNo: string, amount: string, flags: AmountFlags): Promise<void> {
  await moveAmount("POST /accounts/{accountNo}/fund", accountNo, { amount, flags });
}

export async function withdraw(accountNo: string, amount: string, flags: AmountFlags): Promise<void> {
  await moveAmount("POST /accounts/{accountNo}/withdraw", accountNo, { amount, flags });
}

async function moveAmount(
  route: "POST /accounts/{accountNo}/fund" | "POST /accounts/{accountNo}/withdraw",
  accountNo: string,
  { amount, flags }: { readonly amount: string; readonly flags: AmountFlags },
): Promise<void> {
  const { currency, reason, ticket, json } = flags;
  const account = await once(flags, (reference) => {
    const given = { params: { accountNo }, body: { amount, currency, reference, reason, ticket } };
    return withCalls((call) => call(route, given));
  });
  if (json === true) print(formatJson(account));
  else show([account]);
}

/** `--debit` and `--credit` are an account and an amount, such as `1001000005=5000.00`. */
export async function correct({ debit = [], credit = [], json, ...flags }: CorrectFlags): Promise<void> {
  const { currency, reason, ticket } = flags;
  const entries = [
    ...debit.map((text) => readEntry(text, "debit")),
    ...credit.map((text) => readEntry(text, "credit")),
  ];
  const { accounts } = await once(flags, (reference) =>
    withCalls((call) => call("POST /corrections", { body: { entries, currency, reference, reason, ticket } })),
  );
  if (json === true) print(formatJson({ accounts }));
  else show(accounts);
}

function readEntry(text: string, direction: "debit" | "credit") {
  const [, accountNo, amount] = /^([^=]+)=([0-9.]+)$/.exec(text) ?? [];
  if (accountNo === undefined || amount === undefined)
    throw usageError(`--${direction} ${text} is no account with an amount, such as 1001000005=5000.00.`);
  return { accountNo, direction, amount };
}

export async function showAccount(accountNo: string, { json }: JsonFlags): Promise<void> {
  const account = await withCalls((call) => call("GET /accounts/{accountNo}", { params: { accountNo } }));
  if (json === true) return print(formatJson(account));
  const { limits, minimumBalance, partnerIds, openAct } = account;
  show([account]);
  const { each = "none", daily = "none", dailyCount = "none" } = limits;
  const terms: readonly Field[] = [
    ["limit of a transfer", each],
    ["limit of a day", daily],
    ["transfers of a day", String(dailyCount)],
    ["minimum balance", minimumBalance],
    ["may be debited by", partnerIds.length === 0 ? "no partner" : partnerIds.join(", ")],
  ];
  print(`\n${formatFields(terms)}`);
  if (openAct) print(`\nOpen act: ${openAct.does}\n${openAct.state}: titian act show ${openAct.actId}`);
}

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

export async function setStatus(accountNo: string, status: HeldStatus, flags: ChangeFlags): Promise<void> {
  await change(accountNo, { status }, flags);
}

/** The limits that are not given stay; `none` lifts one. */
export async function setLimits(accountNo: string, { each, daily, dailyCount, minimumBalance, ...flags }: LimitFlags) {
  if ([each, daily, dailyCount, minimumBalance].every((given) => given === undefined))
    throw usageError("No limit was given: titian account limits --help");
  const { limits } = await withCalls((call) => call("GET /accounts/{accountNo}", { params: { accountNo } }));
  const chosen = (given: string | undefined, is: string | undefined) => (given === "none" ? undefined : (given ?? is));
  const count = chosen(dailyCount, limits.dailyCount?.toString());
  if (count !== undefined && !/^\d{1,9}$/.test(count))
    throw usageError(`--daily-count ${count} is no number of transfers.`);
  const [ofOne, ofDay] = [chosen(each, limits.each), chosen(daily, limits.daily)];
  const whole = {
    ...(ofOne !== undefined && { each: ofOne }),
    ...(ofDay !== undefined && { daily: ofDay }),
    ...(count !== undefined && { dailyCount: Number(count) }),
  };
  await change(accountNo, { limits: whole, minimumBalance }, flags);
}

export async function allow(accountNo: string, partnerId: string, flags: ChangeFlags): Promise<void> {
  await change(accountNo, { addPartnerIds: [partnerId] }, flags);
}

export async function disallow(accountNo: string, partnerId: string, flags: ChangeFlags): Promise<void> {
  await change(accountNo, { removePartnerIds: [partnerId] }, flags);
}

interface Terms {
  readonly status?: HeldStatus;
  readonly limits?: { readonly each?: string; readonly daily?: string; readonly dailyCount?: number };
  readonly minimumBalance?: string | undefined;
  readonly addPartnerIds?: string[];
  readonly removePartnerIds?: string[];
}

async function change(accountNo: string, terms: Terms, { reason, ticket, json }: ChangeFlags): Promise<void> {
  const given = { params: { accountNo }, body: { ...terms, reason, ticket } };
  const account = await withCalls((call) => call("PATCH /accounts/{accountNo}", given));
  if (json === true) return print(formatJson(account));
  show([account]);
  if (account.note !== undefined) note(`\n${account.note}`);
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
