/** Accounts: shown, opened with money and given more, blocked, woken, closed; their entries. */
import { array, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import {
  type AccountChange,
  type AccountDeps,
  type AccountLimits,
  type HeldStatus,
  type AccountSummary,
  changeAccount,
  findAccount,
  findAccountTerms,
  findOpenAct,
  fundAccount,
  homeCell,
  listAccounts,
  listEntries,
  openAccount,
  type PartnerCredentials,
  type QueryDeps,
  summarizeAccount,
  withdrawFromAccount,
} from "@titian/server/admin";
import { invalidField, unknownAccount, valueOf } from "../control-error.ts";
import { amountDescription, readAmount } from "../money-text.ts";
import { defineCall } from "../rows/define-call.ts";
import { amounts, counted, countView, limit, limitOf, nextOfBefore, ofPartner } from "../rows/pages.ts";
import { actReference, actWords, moreThanZero } from "../acts/act-reason.ts";
import { accountDetailsView, accountView, changedAccountView, numberedEntryView, showEntry } from "./account-view.ts";

export interface AccountCallsDeps extends AccountDeps {
  readonly queries: QueryDeps;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
  /** Reads partners that another process has onboarded. */
  readonly refresh?: () => Promise<void>;
  /** True: numbers are masked, so that none is guessed by what a page begins after. */
  readonly masksNumbers?: boolean;
  /** True: an account may be closed with the money that is on it. */
  readonly closesWithMoney: boolean;
}

const amountText = string({ description: amountDescription });
const limits = orNull(
  object(
    {
      each: optional(amountText),
      daily: optional(amountText),
      dailyCount: optional(integer({ minimum: 0, maximum: 1_000_000_000 })),
    },
    { additionalProperties: false },
  ),
  { description: "an object of each, daily (decimal texts) and dailyCount (a whole number), or null for none" },
);

const status = choice(["active", "dormant", "blocked", "closed"], {
  description: '"active", "dormant", "blocked" or "closed"',
});

const accountAmount = object({
  amount: moreThanZero,
  currency: optional(string({ description: "the currency of the account, an ISO 4217 code in capitals" })),
  reference: actReference,
  ...actWords,
});

const newAccount = object({
  accountNo: optional(string({ description: "a text of 1 to 34 letters, digits, '-', '_' and '.'" })),
  name: string({ description: "a text of 1 to 100 characters" }),
  currency: optional(string({ description: "an ISO 4217 code in capitals" })),
  balance: amountText,
  partnerId: optional(string({ description: "the X-PARTNER-ID of a partner" })),
  partnerIds: optional(array(string(), { description: "a list of X-PARTNER-IDs, for more than one partner" })),
  type: optional(choice(["D", "S"], { description: '"D" (current account) or "S" (savings)' })),
  limits: optional(limits),
  ...actWords,
});

export const accountCalls = [
  defineCall({
    name: "account list",
    route: "GET /accounts",
    role: "viewer",
    does: "Customers' accounts, by number: of a status, those that a partner may debit, those with a ledger balance from minimum to maximum.",
    query: object({
      limit,
      after: optional(string({ description: nextOfBefore })),
      ...counted,
      status: optional(status),
      ...ofPartner,
      ...amounts,
    }),
    answer: object({ accounts: array(accountView), next: orNull(string()), count: countView }),
    run: async ({ query }, deps: AccountCallsDeps) => {
      const { status: state, partnerId, minimum, maximum, count } = query;
      const after = query.after === undefined ? undefined : await numberOf(deps, query.after);
      const partner = partnerId === undefined ? undefined : await keyOf(deps, partnerId);
      const filter = { state, minimum, maximum };
      const page = { after, limit: limitOf(query), isCounted: count === "true", filter, partner };
      const found = await listAccounts({ pool: deps.reads }, page);
      const last = found.next === undefined ? undefined : await findAccount({ pool: deps.reads }, found.next);
      return { ...found, next: last?.accountId };
    },
  }),
  defineCall({
    name: "account show",
    route: "GET /accounts/{accountNo}",
    role: "viewer",
    does: "An account with its balances, its terms, and the act that is open on it.",
    answer: accountDetailsView,
    run: async ({ params }, deps: AccountCallsDeps) => {
      const account = await findAccountTerms(deps.queries, params.accountNo);
      if (!account) throw unknownAccount(params.accountNo);
      return { ...account, openAct: await findOpenAct(deps.queries, account.accountNo) };
    },
  }),
  defineCall({
    name: "account open",
    route: "POST /accounts",
    role: "operator",
    does: "Opens an account with money, which partnerId, or each of partnerIds, may debit. Left out, currency is IDR and type S.",
    body: newAccount,
    answer: accountView,
    run: async ({ body }, deps: AccountCallsDeps) => open(deps, body),
  }),
  defineCall({
    name: "account change",
    route: "PATCH /accounts/{accountNo}",
    role: "operator",
    does: "Changes status, limits, minimum balance and the partners that may debit it, where another operator approves that; blocks at once, and is approved later. A closed account stays closed; in the sandbox with the money that is on it.",
    body: object({
      status: optional(status),
      limits: optional(limits),
      minimumBalance: optional(amountText),
      addPartnerIds: optional(
        array(string(), { description: "a list of X-PARTNER-IDs that may debit it from then on" }),
      ),
      removePartnerIds: optional(array(string(), { description: "a list of X-PARTNER-IDs that may debit it no more" })),
      ...actWords,
    }),
    answer: changedAccountView,
    run: async ({ params, body }, deps: AccountCallsDeps) => {
      const { reason, ticket, ...terms } = body;
      if (Object.keys(terms).length === 0) {
        throw invalidField("status", "status is missing: give the new one, or another term.");
      }
      const { accountNo, currency } = await find(deps, params.accountNo);
      const change = await readChange(deps, terms, currency);
      const changed = valueOf(await changeAccount(deps, accountNo, change, { reason, ticket }));
      const { note, actId } = changed;
      const cell = actId === undefined || deps.queries.cell === homeCell ? undefined : deps.queries.cell;
      return { ...summarizeAccount(changed), note, actId, cell };
    },
  }),
  defineCall({
    name: "account fund",
    route: "POST /accounts/{accountNo}/fund",
    role: "operator",
    does: "Puts money on an account, from the funding account of its currency: once for each reference, which the caller makes up. The same call again changes nothing and answers alike; the same reference with another amount or account is rejected.",
    body: accountAmount,
    answer: accountView,
    run: async ({ params: { accountNo }, body }, deps: AccountCallsDeps) =>
      summarizeAccount(valueOf(await fundAccount(deps, await readAccountAmount(deps, accountNo, body)))),
  }),
  defineCall({
    name: "account withdraw",
    route: "POST /accounts/{accountNo}/withdraw",
    role: "operator",
    does: "Takes money off an account, back to the funding account of its currency: once for each reference, and never more than is available, as with account fund.",
    body: accountAmount,
    answer: accountView,
    run: async ({ params: { accountNo }, body }, deps: AccountCallsDeps) =>
      summarizeAccount(valueOf(await withdrawFromAccount(deps, await readAccountAmount(deps, accountNo, body)))),
  }),
  defineCall({
    name: "account entries",
    route: "GET /accounts/{accountNo}/entries",
    role: "viewer",
    does: "Its entries, newest first. The gaps are versions, from the first to the last, in detached partitions.",
    query: object({ limit, before: optional(string({ pattern: "^[0-9]{1,15}$", description: nextOfBefore })) }),
    answer: object({
      accountNo: string({ personal: "account" }),
      entries: array(numberedEntryView),
      next: orNull(string()),
      gaps: array(object({ first: integer(), last: integer() })),
    }),
    run: async ({ params, query }, deps: AccountCallsDeps) => {
      const { accountNo } = await find(deps, params.accountNo);
      const before = query.before === undefined ? undefined : Number(query.before);
      const found = await listEntries({ pool: deps.reads }, accountNo, { before, limit: limitOf(query) });
      if (!found) throw unknownAccount(accountNo);
      return { ...found, accountNo, entries: found.entries.map(showEntry), next: found.next?.toString() };
    },
  }),
] as const;

async function open(deps: AccountCallsDeps, body: Static<typeof newAccount>): Promise<AccountSummary> {
  const { accountNo, name, currency = "IDR", balance, partnerId, partnerIds = [], type = "S" } = body;
  const allowed = partnerId === undefined ? partnerIds : [partnerId, ...partnerIds];
  const partners = await Promise.all(allowed.map((one) => keyOf(deps, one)));
  const opened = await openAccount(deps, {
    ...(accountNo !== undefined && { accountNo }),
    name,
    currency,
    type,
    balance: readAmount(balance, currency, "balance"),
    partners,
    limits: readLimits(body.limits, currency),
    reason: body.reason,
    ticket: body.ticket,
  });
  return summarizeAccount(valueOf(opened));
}

async function readAccountAmount(deps: AccountCallsDeps, named: string, body: Static<typeof accountAmount>) {
  const { accountNo, currency } = await find(deps, named);
  if (body.currency !== undefined && body.currency !== currency)
    throw invalidField("currency", `The account is in ${currency}.`);
  return { ...body, accountNo, currency, amount: readAmount(body.amount, currency, "amount") };
}

interface Terms {
  readonly status?: HeldStatus;
  readonly limits?: Static<typeof limits>;
  readonly minimumBalance?: string;
  readonly addPartnerIds?: readonly string[];
  readonly removePartnerIds?: readonly string[];
}

async function readChange(deps: AccountCallsDeps, terms: Terms, currency: string): Promise<AccountChange> {
  const { status: wanted, limits: given, minimumBalance, addPartnerIds = [], removePartnerIds = [] } = terms;
  const keysOf = (partnerIds: readonly string[]) => Promise.all(partnerIds.map((partnerId) => keyOf(deps, partnerId)));
  return {
    ...(wanted !== undefined && { status: wanted }),
    ...(given !== undefined && { limits: readLimits(given, currency) }),
    ...(minimumBalance !== undefined && { minimumBalance: readAmount(minimumBalance, currency, "minimumBalance") }),
    addPartners: await keysOf(addPartnerIds),
    removePartners: await keysOf(removePartnerIds),
    closesWithMoney: deps.closesWithMoney,
  };
}

async function find({ reads }: AccountCallsDeps, accountNo: string): Promise<AccountSummary> {
  const account = await findAccount({ pool: reads }, accountNo);
  if (account) return account;
  throw unknownAccount(accountNo);
}

/** Number of the account that a page begins after: it is named by its id. A number of none stands for itself. */
async function numberOf({ reads, masksNumbers }: AccountCallsDeps, named: string): Promise<string> {
  // PostgreSQL rejects a text with NUL.
  const text = named.replaceAll("\u0000", "");
  const account = await findAccount({ pool: reads }, text);
  // Pages that begin behind guessed numbers would tell which there are.
  if (masksNumbers === true && account?.accountId !== text)
    throw invalidField("after", "after must be the next of an answer before.");
  return account?.accountNo ?? text;
}

async function keyOf({ byPartnerId, refresh }: AccountCallsDeps, partnerId: string): Promise<string> {
  if (byPartnerId(partnerId) === undefined) await refresh?.();
  const partner = byPartnerId(partnerId);
  if (partner) return partner.key;
  throw invalidField("partnerId", `There is no partner ${partnerId}.`);
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
