/** Opens accounts that have left one cell in the cell that they have moved to, with the terms that they had. */
import type { Clock } from "../basics/clock.ts";
import { newId } from "../basics/ids.ts";
import { type Account, writeLimits } from "../ledger/accounts/account.ts";
import type { TransitMoney } from "../ledger/transit/mirror.ts";
import { codeOfServer, restrictViolation } from "../store/postgres/database-away.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { readLeft, type ReceivedAccount, receiveAccount } from "../store/tables/cells/account-moves.ts";
import type { PaidEntry } from "./find-payees.ts";

interface MovedBetween {
  /** The cell that it has left. */
  readonly from: {
    readonly cell: number;
    readonly pool: StatementPool;
    confirmed<Result>(read: () => Promise<Result>): Promise<Result>;
  };
  /** The cell that it has moved to. */
  readonly to: { readonly cell: number; readonly pool: StatementPool };
  readonly clock: Pick<Clock, "now">;
}

/** Nothing where it has not left the other cell, or is here by this move or a later one. May be repeated. */
export async function receive({ from, to, clock }: MovedBetween, accountNo: string): Promise<void> {
  const found = await from.confirmed(async () => ({
    left: await readLeft(from.pool, accountNo),
    account: await findAccountByNumber(from.pool, accountNo),
  }));
  const { left, account } = found;
  if (left?.to !== to.cell || !account) return;
  const { number, to: _, ...terms } = left;
  const received = { ...termsOf(account), ...terms, id: newId(to.cell), at: clock.now() };
  await receiveAccount(to.pool, { accountNo, number }, from.cell, received);
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
  /** Opens anew those of them that it lacks. @throws while a cell that one may have left cannot be asked */
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
  const payees = lost ? [...numbersOf("payment")].filter((accountNo) => lost.isHere(accountNo)) : [];
  if (payees.length > 0) await lost?.open(payees);
  const moved = [...numbersOf("relocation")];
  if (moved.length === 0 || pool === undefined) return;
  const to = { cell, pool };
  const known = await readStatuses(pool, moved);
  // One that was here before, and had left, has come again by a later move.
  const isAway = (accountNo: string) => (known.get(accountNo) ?? "moved") === "moved";
  for (const accountNo of moved.filter(isAway)) {
    await receive({ from, to, clock }, accountNo).catch((error: unknown) => {
      // Another account of that number: what is behind it does not wait for an operator.
      if (codeOfServer(error) !== restrictViolation) throw error;
    });
  }
}
