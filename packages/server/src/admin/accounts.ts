/** Accounts of holders: opened with their opening balance in one command, and their terms changed. */
import { createHash } from "node:crypto";
import { currencyScale } from "@titian/contract";
import type { Clock } from "../basics/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { newId, toUuid } from "../basics/ids.ts";
import type { Account, AccountLimits, AccountStatus } from "../ledger/accounts/account.ts";
import { type AccountChange, decideAccountChange } from "../ledger/accounts/change-account.ts";
import { decideFunding } from "../ledger/accounts/fund-account.ts";
import { type Minor, maxMinor, zero } from "../ledger/money.ts";
import { decideOpening, type OpeningOrder } from "../ledger/accounts/open-account.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { reject } from "../ledger/rejection.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findAccountByNumber } from "../store/reads/accounts.ts";
import { describeEntries } from "../store/tables/acts.ts";
import { withRights } from "./administration-rights.ts";
import { AdminError, type AdminResult, done, rejected } from "./result.ts";
import { type LedgerDeps, submitAdmin } from "./submit.ts";

export interface AccountDeps {
  /** On connections of administration's role, which may write acts. */
  readonly administrationEngine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
}

export interface NewAccount {
  /** Id of the account (a UUID); the same one again repeats the call. Absent: a new one. */
  readonly id?: string;
  /** Up to 34 letters, digits, `-`, `_` and `.`; at most 19 if calls shall debit it. Absent: 12 digits made of the id. */
  readonly accountNo?: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status?: AccountStatus;
  /** Opening balance in minor units, moved from the currency's funding account. */
  readonly balance: Minor;
  /** Internal ids of partners that may debit it. */
  readonly partners?: readonly string[];
  readonly limits?: AccountLimits;
}

const accountNoShape = /^[0-9A-Za-z][0-9A-Za-z._-]{0,33}$/;
const nameLengthMax = 100;
/** Decimals of `value` in calls (spec D5). */
const decimalsMax = 2;
const madeNumberTries = 5;

export async function openAccount(deps: AccountDeps, account: NewAccount): Promise<AdminResult<Account>> {
  const invalid = rejectInput(account);
  if (invalid) return invalid;
  const id = account.id ?? newId();
  const fundingNo = internalAccountNo("funding", account.currency);
  for (let tries = 0; ; tries += 1) {
    const order = toOrder(account, id, tries);
    const open = submitAdmin(ledgerOf(deps), {
      locks: { accountNumbers: [order.accountNo, fundingNo], accountIds: [id] },
      decide: (found) =>
        decideOpening(order, found.account(order.accountNo) ?? found.accountById(id), found.account(fundingNo)),
    });
    const result = await withRights(deps.reads, () => open);
    if (result.ok) return done(await readAccount(deps, order.accountNo));
    const isMade = account.accountNo === undefined && result.rejection.kind === "accountExists";
    if (!isMade || tries === madeNumberTries) return result;
  }
}

/** An amount for an account, by a reference of the operator's own. */
export interface Funding {
  readonly accountNo: string;
  /** ISO 4217: the account's. */
  readonly currency: string;
  /** In minor units, more than zero. */
  readonly amount: Minor;
  /** 1 to 64 visible ASCII characters; the same one again repeats the act. */
  readonly reference: string;
}

/**
 * Puts money on an account, once for each reference: the act is looked for under the lock of the account, and its id, which
 * is made of the reference, is unique. So it may be repeated after any failure, at once and later.
 */
export async function fundAccount(deps: AccountDeps, funding: Funding): Promise<AdminResult<Account>> {
  const { accountNo, currency, amount, reference } = funding;
  if (!/^[\x21-\x7e]{1,64}$/.test(reference)) {
    return rejected("invalidField", "A reference has 1 to 64 visible ASCII characters.", "reference");
  }
  if (amount <= zero || amount > maxMinor) {
    return rejected("invalidField", "An amount is more than zero, and fits the ledger.", "amount");
  }
  const fundingNo = internalAccountNo("funding", currency);
  const order = { actId: actIdOf(reference), reference, amount, fundingId: newId() };
  const moved = describeEntries([
    { accountNo, amount, currency },
    { accountNo: fundingNo, amount: -amount, currency },
  ]);
  const fund = submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: [accountNo, fundingNo], actId: order.actId },
    decide: (found) => {
      const account = found.account(accountNo);
      // An account never changes its currency.
      if (account && account.currency !== currency) return reject("currencyMismatch", "currency");
      const act = found.act();
      const earlier = act === undefined ? undefined : act === moved ? "same" : "other";
      return decideFunding(order, account, found.account(fundingNo), earlier);
    },
  });
  const result = await withRights(deps.reads, () => fund);
  return result.ok ? done(await readAccount(deps, accountNo)) : result;
}

/** Sixteen bytes of a hash, as a UUID. */
function actIdOf(reference: string): string {
  return toUuid(createHash("sha256").update(`funding ${reference}`).digest("hex").slice(0, 32));
}

export async function changeAccount(
  deps: AccountDeps,
  accountNo: string,
  change: AccountChange,
): Promise<AdminResult<Account>> {
  if (change.name !== undefined && !isName(change.name)) return rejectName();
  const result = await submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: [accountNo], openTransfersOf: [accountNo] },
    decide: (found) =>
      decideAccountChange(found.account(accountNo), { ...change, hasOpenTransfers: found.hasOpenTransfers(accountNo) }),
  });
  return result.ok ? done(await readAccount(deps, accountNo)) : result;
}

function ledgerOf({ administrationEngine: engine, clock }: AccountDeps): LedgerDeps {
  return { engine, clock };
}

function toOrder(account: NewAccount, id: string, tries: number): OpeningOrder {
  return {
    id,
    accountNo: account.accountNo ?? madeAccountNo(id, tries),
    name: account.name,
    currency: account.currency,
    type: account.type,
    status: account.status ?? "active",
    partners: account.partners ?? [],
    limits: account.limits ?? {},
    balance: account.balance,
    fundingId: newId(),
  };
}

/** Twelve digits that a repeated call with the same id makes again. */
function madeAccountNo(id: string, tries: number): string {
  const hash = createHash("sha256").update(`account-no ${id} ${tries}`).digest();
  return `8${(hash.readBigUInt64BE() % 100_000_000_000n).toString().padStart(11, "0")}`;
}

function rejectInput(account: NewAccount): AdminResult<never> | undefined {
  if (account.accountNo !== undefined && !accountNoShape.test(account.accountNo)) {
    const message = "An account number has up to 34 letters, digits, '-', '_' and '.', a letter or digit first.";
    return rejected("invalidField", message, "accountNo");
  }
  if (!isName(account.name)) return rejectName();
  const scale = currencyScale(account.currency);
  if (scale === undefined) return rejected("invalidField", "The currency is no ISO 4217 code.", "currency");
  if (scale > decimalsMax) {
    const message = `Amounts travel with at most ${decimalsMax} decimals, and this currency has ${scale}.`;
    return rejected("invalidField", message, "currency");
  }
  if (account.balance < zero || account.balance > maxMinor) {
    return rejected("invalidField", "An opening balance is zero or more, and fits the ledger.", "balance");
  }
  return undefined;
}

function rejectName(): AdminResult<never> {
  return rejected(
    "invalidField",
    `A name has 1 to ${nameLengthMax} characters, none of them a control character.`,
    "name",
  );
}

function isName(name: string): boolean {
  return name.trim() !== "" && name.length <= nameLengthMax && name.isWellFormed() && !/\p{Cc}/u.test(name);
}

async function readAccount({ reads }: AccountDeps, accountNo: string): Promise<Account> {
  const account = await findAccountByNumber(reads, accountNo);
  if (!account) throw new AdminError(`Account ${accountNo} was just written and is not found.`);
  return account;
}
