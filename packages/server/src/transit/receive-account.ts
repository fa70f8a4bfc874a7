/** Opens accounts that have left one cell in the cell that they have moved to, with the terms that they had. */
import type { Clock } from "../basics/clock.ts";
import { newId } from "../basics/ids.ts";
import { type Account, writeLimits } from "../ledger/accounts/account.ts";
import type { TransitMoney } from "../ledger/transit/mirror.ts";
import { codeOfServer, restrictViolation } from "../store/postgres/database-away.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { readLeft, type ReceivedAccount, receiveAccount } from "../store/tables/cells/account-moves.ts";
import { asked } from "./cell-away.ts";
import type { PaidEntry } from "./find-payees.ts";

interface LeftCell {
  readonly cell: number;
  readonly pool: StatementPool;
  confirmed<Result>(read: () => Promise<Result>): Promise<Result>;
}

interface MovedTo {
  /** The cell that it has moved to. */
  readonly to: { readonly cell: number; readonly pool: StatementPool };
  readonly clock: Pick<Clock, "now">;
}

interface MovedBetween extends MovedTo {
  /** The cell that it has left. */
  readonly from: LeftCell;
}

/** Nothing where it has not left the other cell, or is here by this move or a later one. May be repeated. */
export async function receive({ from, ...moved }: MovedBetween, accountNo: string): Promise<void> {
  await receiveNewest({ ...moved, others: [from] }, accountNo);
}

interface MovedFromAny extends MovedTo {
  readonly others: readonly LeftCell[];
}

/** By the newest move: cells that it had left before have it with the terms of then. May be repeated. @throws CellAway where one cannot be asked */
export async function receiveNewest({ others, to, clock }: MovedFromAny, accountNo: string): Promise<void> {
  const all = await Promise.all(others.map((from) => findLeft(from, to.cell, accountNo)));
  const [newest] = all.flatMap((left) => left ?? []).toSorted((one, other) => other.number - one.number);
  if (!newest) return;
  const { number, from, terms } = newest;
  const received = { ...terms, id: newId(to.cell), at: clock.now() };
  await receiveAccount(to.pool, { accountNo, number }, from, received);
}

/** The account is to be opened: the cell has not got it, or it has left by a move of before. */
export function isAway(status: string | undefined): boolean {
  return status === undefined || status === "moved";
}

/**
 * False: the cell has another account of that number, which stays. `titian cells check` tells it (`accountOfOneCell`), and nothing else waits for the
 * operator who repairs it: what is paid to the number meanwhile goes to unapplied funds.
 */
export async function receiveUnlessTaken(receiving: Promise<void>): Promise<boolean> {
  try {
    await receiving;
    return true;
  } catch (error) {
    if (codeOfServer(error) !== restrictViolation) throw error;
    return false;
  }
}

/** Undefined: it has not left the cell for that one. */
async function findLeft({ cell: from, pool, confirmed }: LeftCell, to: number, accountNo: string) {
  const reading = confirmed(async () => ({
    left: await readLeft(pool, accountNo),
    account: await findAccountByNumber(pool, accountNo),
  }));
  const { left, account } = await asked(from, reading);
  if (left?.to !== to || !account) return undefined;
  const { number, to: _, ...kept } = left;
  return { number, from, terms: { ...termsOf(account), ...kept } };
}

/** Its id says the cell that it is in, and is a new one. */
function termsOf({
  name,
  currency,
  type,
  partners,
  limits,
}: Account): Omit<ReceivedAccount, "id" | "at" | "status" | "minimumBalance"> {
  return {
    name,
    currency,
    type,
    partners,
    limits: writeLimits(limits),
  };
}

/** Accounts of a cell that it may have lost by a restore. */
export interface LostAccounts {
  /** True: home says that it has moved to the cell. */
  isHere(accountNo: string): boolean;
  /** Opens anew those of them that it lacks. @throws CellAway while a cell that one may have left cannot be asked */
  open(accountNos: readonly string[]): Promise<void>;
}

interface StreamCells extends Pick<MovedBetween, "from" | "clock"> {
  readonly to: {
    readonly cell: number;
    readonly writes?: StatementPool;
    readonly lost?: LostAccounts | undefined;
  };
}

/** Before money is credited: a cell that was restored may have lost accounts that have moved to it, and they are opened anew. */
export async function openMoved(
  { from, to: { cell, writes: pool, lost }, clock }: StreamCells,
  paid: readonly PaidEntry[],
): Promise<void> {
  const numbersOf = (of: TransitMoney) =>
    new Set(
      paid.flatMap(({ entry, payee }) => (entry.of === of && payee && "accountNo" in payee ? [payee.accountNo] : [])),
    );
  const isHere = (accountNo: string) => lost?.isHere(accountNo) === true;
  const [payees, relocated] = [[...numbersOf("payment")].filter(isHere), [...numbersOf("relocation")]];
  const named = [...payees, ...relocated.filter(isHere)];
  if (named.length > 0) await lost?.open(named);
  // Home was restored, too, and does not say it.
  const moved = relocated.filter((accountNo) => !isHere(accountNo));
  if (moved.length === 0 || pool === undefined) return;
  const to = { cell, pool };
  const known = await readStatuses(pool, moved);
  for (const accountNo of moved) {
    // One that was here before, and had left, has come again by a later move.
    if (isAway(known.get(accountNo))) await receiveUnlessTaken(receive({ from, to, clock }, accountNo));
  }
}
