/** Corrections of accounts, and our own accounts: shown, and money moved between them. */
import { array, choice, object, optional, type Static, string } from "@titian/contract";
import {
  type AccountDeps,
  type AdminRejection,
  correctAccounts,
  findAccount,
  listOwnAccounts,
  moveLedger,
  type MovePair,
  movePairs,
  type QueryDeps,
  summarizeAccount,
} from "@titian/server/admin";
import { actReference, actWords, moreThanZero } from "../acts/act-reason.ts";
import { ControlError, controlErrorOf, valueOf } from "../control-error.ts";
import { readAmount } from "../money-text.ts";
import { defineCall } from "../rows/define-call.ts";
import { accountView, ownAccountView } from "./account-view.ts";

export interface LedgerCallsDeps extends AccountDeps {
  readonly queries: QueryDeps;
}

const pairs = Object.keys(movePairs) as [MovePair, ...MovePair[]];

const currency = optional(string({ description: "an ISO 4217 code in capitals" }));

const correction = object({
  entries: array(
    object({
      accountNo: string({ description: "a customer's account, or one of our own that is no suspense account" }),
      direction: choice(["debit", "credit"], { description: '"debit" or "credit"' }),
      amount: moreThanZero,
    }),
    {
      description: "a list of 2 to 10 accounts with direction and amount, whose debits and credits add up to the same",
    },
  ),
  currency,
  reference: actReference,
  ...actWords,
});

const move = object({
  pair: choice(pairs, { description: `one of ${pairs.join(", ")}` }),
  rail: optional(choice(["interbank", "rtgs", "skn"], { description: "the rail of clearing and fees" })),
  currency,
  amount: moreThanZero,
  reference: actReference,
  ...actWords,
});

export const ledgerCalls = [
  defineCall({
    name: "account correct",
    route: "POST /corrections",
    role: "operator",
    does: "Debits and credits accounts by one balanced journal: once for each reference. No customer's account is debited below what is available. Left out, currency is IDR.",
    body: correction,
    answer: object({ accounts: array(accountView) }),
    run: async ({ body }, deps: LedgerCallsDeps) => {
      const read = await readCorrection(deps, body);
      const corrected = await correctAccounts(deps, read);
      if (!corrected.ok) throw controlErrorOf(asNamed(corrected.rejection, body.entries, read.entries));
      return { accounts: corrected.value.map(summarizeAccount) };
    },
  }),
  defineCall({
    name: "ledger show",
    route: "GET /ledger",
    role: "viewer",
    does: "Our own accounts with their balances, all parts of a suspense account together.",
    answer: object({ accounts: array(ownAccountView) }),
    run: async (_, { queries }: LedgerCallsDeps) => ({ accounts: await listOwnAccounts(queries) }),
  }),
  defineCall({
    name: "ledger move",
    route: "POST /ledger/moves",
    role: "operator",
    does: "Moves money between two of our own accounts: once for each reference, and no more than is on the one that is no funding account. Left out, currency is IDR.",
    body: move,
    answer: object({ accounts: array(accountView) }),
    run: async ({ body }, deps: LedgerCallsDeps) => {
      const { currency: code = "IDR", amount } = body;
      const moved = valueOf(
        await moveLedger(deps, { ...body, currency: code, amount: readAmount(amount, code, "amount") }),
      );
      return { accounts: moved.map(summarizeAccount) };
    },
  }),
] as const;

/** An account may be named by its id, as where its number is masked. */
async function readCorrection({ reads }: LedgerCallsDeps, body: Static<typeof correction>) {
  const { currency: code = "IDR", entries, ...words } = body;
  const read = entries.map(async ({ accountNo, direction, amount }) => {
    const account = await findAccount({ pool: reads }, accountNo);
    if (!account) throw new ControlError(404, "unknownAccount", `There is no account ${accountNo}.`, "entries");
    return { accountNo: account.accountNo, direction, amount: readAmount(amount, code, "entries") };
  });
  return { ...words, currency: code, entries: await Promise.all(read) };
}

interface Named {
  readonly accountNo: string;
}

/** A rejection that calls an account as the caller has: its number may be masked. `read`: the same accounts by their numbers. */
function asNamed(rejection: AdminRejection, given: readonly Named[], read: readonly Named[]): AdminRejection {
  const message = read.reduce(
    (text, { accountNo }, place) => text.replace(`Account ${accountNo}:`, () => `Account ${given[place]?.accountNo}:`),
    rejection.message,
  );
  return { ...rejection, message };
}
