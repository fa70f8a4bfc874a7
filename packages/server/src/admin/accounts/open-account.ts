/** Accounts of holders are opened with their opening balance in one command. */
import { currencyScale } from "@titian/contract";
import { newId } from "../../basics/ids.ts";
import {
  type Account,
  type AccountLimits,
  type HeldStatus,
  type WrittenLimits,
  writeLimits,
} from "../../ledger/accounts/account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { changeByAct } from "../../jobs/open-act.ts";
import { type Minor, maxMinor, minor, zero } from "../../ledger/money.ts";
import { decideOpening, type OpeningOrder } from "../../ledger/accounts/open-account.ts";
import { findAccountByNumber, findAccountsById } from "../../store/reads/accounts.ts";
import type { ApprovedAct } from "../../store/tables/acts.ts";
import { withRights } from "../administration-rights.ts";
import { type AdminResult, done, rejected, rejectedAct, rejectedByLedger } from "../result.ts";
import { submitAdmin } from "../submit.ts";
import { type AccountDeps, actIdOf, carryOutAct, describeFunding, ledgerOf, readAccount } from "./account-acts.ts";
import { makeAccountNo, rejectNumber, rejectPartners } from "./account-number.ts";
import { isName, rejectName } from "./account-name.ts";

export interface NewAccount {
  /** Id of the account (a UUID); the same one again repeats the call. Absent: a new one. */
  readonly id?: string;
  /** Up to 34 letters, digits, `-`, `_` and `.`; at most 19 if calls shall debit it. Absent: 12 digits, made of the id where that is given. */
  readonly accountNo?: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly type: "D" | "S";
  readonly status?: HeldStatus;
  /** Opening balance in minor units, moved from the currency's funding account. */
  readonly balance: Minor;
  /** Internal ids of partners that may debit it. */
  readonly partners?: readonly string[];
  readonly limits?: AccountLimits;
  /** The reason why there shall be money on it. Absent: only where nobody is in charge. */
  readonly reason?: string | undefined;
  /** Number of the case that it belongs to, elsewhere. */
  readonly ticket?: string | undefined;
}

/** Decimals of `value` in calls (spec D5). */
const decimalsMax = 2;
const madeNumberTries = 5;

/** Opens an account. With money on it that is an operator's act, carried out once it is approved. */
export async function openAccount(deps: AccountDeps, account: NewAccount): Promise<AdminResult<Account>> {
  const { numbers } = deps;
  const invalid =
    rejectNumber(account.accountNo, numbers) ?? rejectPartners(account.partners, numbers) ?? rejectInput(account);
  if (invalid) return invalid;
  const id = account.id ?? newId(numbers?.cell);
  // An account of a new id has a number that nobody computes from it.
  const seed = account.id ?? newId();
  for (let tries = 0; ; tries += 1) {
    const accountNo = account.accountNo ?? makeAccountNo(seed, tries, numbers);
    if (accountNo === undefined)
      return rejected("invalidField", "No range of the cell has digits alone: name the number.", "accountNo");
    const result = await openOrder(deps, toOrder(account, { id, accountNo, tries }), account);
    const isMade = account.accountNo === undefined && !result.ok && result.rejection.kind === "accountExists";
    if (!isMade || tries === madeNumberTries) return result;
  }
}

/** The same order again is the same act. */
async function openOrder(
  deps: AccountDeps,
  order: OpeningOrder,
  { reason, ticket }: Pick<NewAccount, "reason" | "ticket">,
): Promise<AdminResult<Account>> {
  const { accountNo, balance, currency, id } = order;
  const ofId = (await findAccountsById(deps.reads, [id])).get(id);
  const existing = ofId ?? (await findAccountByNumber(deps.reads, accountNo));
  // Found before anything is proposed; the engine decides.
  if (existing?.id === id && existing.accountNo === accountNo) return done(existing);
  if (existing) return rejectedByLedger("accountExists", "accountNo");
  if (balance === zero) return openEmpty(deps, order, { reason, ticket });
  const entries = describeFunding(accountNo, currency, balance);
  return carryOutAct(
    deps,
    {
      id: order.actId,
      kind: "opening",
      target: accountNo,
      reference: id,
      before: undefined,
      after: { ...writeOrder(order), entries },
      reason,
      ticket,
    },
    { carryOut: () => carryOutOpening(deps, order), read: () => readAccount(deps, accountNo) },
  );
}

/** Without money a function of the database opens it. */
async function openEmpty(
  deps: AccountDeps,
  order: OpeningOrder,
  { reason, ticket }: Pick<NewAccount, "reason" | "ticket">,
): Promise<AdminResult<Account>> {
  const { database, reads } = deps;
  const { actId, accountNo, id } = order;
  const proposal = {
    id: actId,
    target: accountNo,
    reference: id,
    before: undefined,
    after: writeOrder(order),
    reason,
    ticket,
  };
  const act = await withRights(database, () =>
    changeByAct(database, { ...proposal, kind: "accountOpening", isAtOnce: false }),
  );
  if (act.kind === "done") return done(await readAccount(deps, accountNo));
  // Another one has come meanwhile.
  const existing = await findAccountByNumber(reads, accountNo);
  if (act.kind === "actEnded" && existing)
    return existing.id === id ? done(existing) : rejectedByLedger("accountExists", "accountNo");
  return rejectedAct(act);
}

export async function carryOutOpening(deps: AccountDeps, order: OpeningOrder): Promise<AdminResult<Account>> {
  const { accountNo, id, currency } = order;
  const fundingNo = internalAccountNo("funding", currency);
  const result = await submitAdmin(ledgerOf(deps), {
    locks: { accountNumbers: [accountNo, fundingNo], accountIds: [id] },
    decide: (found) =>
      decideOpening(order, found.account(accountNo) ?? found.accountById(id), found.account(fundingNo)),
  });
  return result.ok ? done(await readAccount(deps, accountNo)) : result;
}

/** As an act keeps it: amounts in minor units, as decimal texts. */
interface WrittenOrder extends Pick<OpeningOrder, "accountNo" | "name" | "currency" | "type" | "status" | "partners"> {
  readonly balance: string;
  readonly limits: WrittenLimits;
}

function writeOrder(order: OpeningOrder): WrittenOrder {
  const { accountNo, name, currency, type, status, partners, limits, balance } = order;
  return {
    accountNo,
    name,
    currency,
    type,
    status,
    partners,
    balance: String(balance),
    limits: writeLimits(limits),
  };
}

/** The order of an approved act. */
export function readOrder({ id: actId, reference: id, after }: ApprovedAct): OpeningOrder {
  const { balance, limits, ...rest } = after as WrittenOrder;
  const { perTransaction, daily, dailyCount } = limits;
  return {
    ...rest,
    id,
    actId,
    fundingId: newId(),
    balance: minor(BigInt(balance)),
    limits: {
      ...(perTransaction !== undefined && { perTransaction: minor(BigInt(perTransaction)) }),
      ...(daily !== undefined && { daily: minor(BigInt(daily)) }),
      ...(dailyCount !== undefined && { dailyCount }),
    },
  };
}

interface Made {
  readonly id: string;
  readonly accountNo: string;
  readonly tries: number;
}

function toOrder(account: NewAccount, { id, accountNo, tries }: Made): OpeningOrder {
  return {
    id,
    accountNo,
    name: account.name,
    currency: account.currency,
    type: account.type,
    status: account.status ?? "active",
    partners: account.partners ?? [],
    limits: account.limits ?? {},
    balance: account.balance,
    fundingId: newId(),
    actId: actIdOf(`opening ${id} ${tries}`),
  };
}

function rejectInput(account: NewAccount): AdminResult<never> | undefined {
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
