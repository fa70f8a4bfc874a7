/** Accounts over the control API: shown, opened with money, blocked, woken, closed; their entries. */
import { choice, formatTimestamp, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  changeAccount,
  findAccount,
  listAccounts,
  listEntries,
  openAccount,
  summarizeAccount,
  type AccountChange,
  type AccountDeps,
  type AccountLimits,
  type AccountSummary,
  type EntrySummary,
  type PartnerCredentials,
} from "@titian/server/admin";
import { ControlError, controlErrorOf, invalidField } from "../control-error.ts";
import { amountDescription, readAmount, writeAmount } from "../money-text.ts";
import type { AccountsPage } from "../api-types.ts";
import { limitOf, limitOption } from "../page-query.ts";
import { readBody, readQuery } from "../read-input.ts";

export interface AccountCallsDeps extends AccountDeps {
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
}

const text = (description: string) => string({ description });
const amount = string({ description: amountDescription });
const limits = orNull(
  object(
    {
      each: optional(amount),
      daily: optional(amount),
      dailyCount: optional(integer({ minimum: 0, maximum: 1_000_000_000 })),
    },
    { additionalProperties: false },
  ),
  { description: "an object of each, daily (decimal texts) and dailyCount (a whole number), or null for none" },
);
const accountType = choice(["D", "S"], { description: '"D" (current account) or "S" (savings)' });
const status = choice(["active", "dormant", "blocked", "closed"], {
  description: '"active", "dormant", "blocked" or "closed"',
});

const NewAccountBody = object({
  accountNo: optional(text("a text of 1 to 34 letters, digits, '-', '_' and '.'")),
  name: text("a text of 1 to 100 characters"),
  currency: optional(text("an ISO 4217 code in capitals")),
  balance: amount,
  partnerId: optional(text("the X-PARTNER-ID of a partner")),
  type: optional(accountType),
  limits: optional(limits),
});

const ChangeBody = object({ status: optional(status), limits: optional(limits) });

const AccountsQuery = object({
  limit: limitOption,
  after: optional(text("the `next` of the page before")),
});

const EntriesQuery = object({
  limit: limitOption,
  before: optional(string({ pattern: "^[0-9]{1,15}$", description: "the `next` of the page before" })),
});

interface AccountPath {
  readonly Params: { readonly accountNo: string };
}

export function serveAccountCalls(app: FastifyInstance, deps: AccountCallsDeps): void {
  app.get("/accounts", async ({ query }) => showAll(deps, readQuery(AccountsQuery, query)));
  app.get<AccountPath>("/accounts/:accountNo", async ({ params }) => showAccount(await find(deps, params.accountNo)));
  app.post("/accounts", async ({ body }) => showAccount(await open(deps, readBody(NewAccountBody, body))));
  app.patch<AccountPath>("/accounts/:accountNo", async ({ params, body }) =>
    showAccount(await change(deps, params.accountNo, readBody(ChangeBody, body))),
  );
  app.get<AccountPath>("/accounts/:accountNo/entries", async ({ params, query }) =>
    showEntries(deps, await find(deps, params.accountNo), readQuery(EntriesQuery, query)),
  );
}

async function showAll(
  { reads }: AccountCallsDeps,
  { after, ...query }: Static<typeof AccountsQuery>,
): Promise<AccountsPage> {
  const limit = limitOf(query);
  // PostgreSQL rejects a text with NUL.
  const accounts = await listAccounts({ pool: reads }, { after: after?.replaceAll("\u0000", ""), limit });
  return { accounts: accounts.map(showAccount), next: pageEnd(accounts, limit)?.accountNo ?? null };
}

/** The last row of a page after which there may be more. */
function pageEnd<Row>(rows: readonly Row[], limit: number): Row | undefined {
  return rows.length === limit ? rows.at(-1) : undefined;
}

async function open(deps: AccountCallsDeps, body: Static<typeof NewAccountBody>): Promise<AccountSummary> {
  const { accountNo, name, currency = "IDR", balance, partnerId, type = "S" } = body;
  const partner = partnerId === undefined ? undefined : deps.byPartnerId(partnerId);
  if (partnerId !== undefined && partner === undefined) {
    throw invalidField("partnerId", "There is no such partner; sandbox.json lists them.");
  }
  const result = await openAccount(deps, {
    ...(accountNo !== undefined && { accountNo }),
    name,
    currency,
    type,
    balance: readAmount(balance, currency, "balance"),
    partners: partner === undefined ? [] : [partner.key],
    limits: readLimits(body.limits, currency),
  });
  if (!result.ok) throw controlErrorOf(result.rejection);
  return summarizeAccount(result.value);
}

async function change(
  deps: AccountCallsDeps,
  accountNo: string,
  { status: wanted, limits: given }: Static<typeof ChangeBody>,
): Promise<AccountSummary> {
  if (wanted === undefined && given === undefined) throw invalidField("status", "status is missing: give the new one.");
  const account = await find(deps, accountNo);
  const terms: AccountChange = {
    ...(wanted !== undefined && { status: wanted }),
    ...(given !== undefined && { limits: readLimits(given, account.currency) }),
    // What a call answers about a closed account is to be tried with accounts that were in use; spec D9 asks only
    // that nothing is held.
    closesWithMoney: true,
  };
  const result = await changeAccount(deps, accountNo, terms);
  if (!result.ok) throw controlErrorOf(result.rejection);
  return summarizeAccount(result.value);
}

async function find({ reads }: AccountCallsDeps, accountNo: string): Promise<AccountSummary> {
  const account = await findAccount({ pool: reads }, accountNo);
  if (account) return account;
  throw unknownAccount();
}

function readLimits(given: Static<typeof limits> | undefined, currency: string): AccountLimits {
  if (given == null) return {};
  const { each, daily, dailyCount } = given;
  return {
    ...(each !== undefined && { perTransaction: readAmount(each, currency, "limits") }),
    ...(daily !== undefined && { daily: readAmount(daily, currency, "limits") }),
    ...(dailyCount !== undefined && { dailyCount }),
  };
}

export function showAccount({ accountNo, name, currency, status: state, type, ...balances }: AccountSummary) {
  const ledgerBalance = writeAmount(balances.ledgerBalance, currency);
  const availableBalance = writeAmount(balances.availableBalance, currency);
  return { accountNo, name, currency, status: state, type, ledgerBalance, availableBalance };
}

async function showEntries(
  { reads }: AccountCallsDeps,
  { accountNo }: AccountSummary,
  { before, ...query }: Static<typeof EntriesQuery>,
) {
  const limit = limitOf(query);
  const page = { before: before === undefined ? undefined : Number(before), limit };
  const found = await listEntries({ pool: reads }, accountNo, page);
  if (!found) throw unknownAccount();
  const { currency, next, gaps } = found;
  const entries = found.entries.map((entry) => showEntry(entry, currency));
  return { accountNo, entries, next: next?.toString() ?? null, gaps };
}

function showEntry({ amount: moved, balanceAfter, at, ...entry }: EntrySummary, currency: string) {
  const { version, referenceNo, kind } = entry;
  return {
    version,
    referenceNo,
    kind,
    direction: moved < 0n ? "debit" : "credit",
    amount: writeAmount(moved < 0n ? -moved : moved, currency),
    balanceAfter: writeAmount(balanceAfter, currency),
    at: formatTimestamp(at),
  };
}

function unknownAccount(): ControlError {
  return new ControlError(404, "unknownAccount", "There is no account of this number.", "accountNo");
}
