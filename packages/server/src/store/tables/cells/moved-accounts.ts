/** Accounts that home says are in another cell than their number, or on their way (0062-account-moves.sql). */
import type { Pool } from "pg";
import type { MovedAccount } from "../../../ledger/reference/directory.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/session.ts";

export interface MovedAccountRow extends MovedAccount {
  /** The act of its last move. */
  readonly actId: string;
  /** The reason why it has not moved by its last act. */
  readonly refusal?: string;
}

export const movedAccountColumns = "account_no, cell, moving_to, number, has_moved, act_id, refusal";

export function readMovedAccount([
  accountNo,
  cell,
  movingTo,
  number,
  hasMoved,
  actId,
  refusal,
]: TextRow): MovedAccountRow {
  return {
    accountNo: accountNo as string,
    cell: Number(cell),
    ...(movingTo != null && { movingTo: Number(movingTo) }),
    number: Number(number),
    hasMoved: hasMoved === "t",
    actId: actId as string,
    ...(refusal != null && { refusal }),
  };
}

/** Those that were never moved, nor refused, are left out. */
export async function findMovedAccounts(
  pool: Pool,
  accountNos: readonly string[],
): Promise<readonly MovedAccountRow[]> {
  const rows = await queryRows(pool, {
    name: "find-moved-accounts",
    text: `select ${movedAccountColumns} from moved_accounts where account_no = any($1::text[])`,
    values: [accountNos],
  });
  return rows.map(readMovedAccount);
}

/** Those behind a number, in its order. */
export async function listMovedAccounts(pool: Pool, after: string, limit: number): Promise<readonly MovedAccountRow[]> {
  const rows = await queryRows(pool, {
    name: "list-moved-accounts",
    text: `select ${movedAccountColumns} from moved_accounts where account_no > $1 order by account_no limit $2::int`,
    values: [after, limit],
  });
  return rows.map(readMovedAccount);
}

/** Ends its move: it is in that cell, and did not leave it where there is a refusal. False: it has ended before. */
export async function finishMove(
  pool: Pool,
  { accountNo, number }: Pick<MovedAccount, "accountNo" | "number">,
  { cell, refusal }: { readonly cell: number; readonly refusal?: string },
): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "finish-move",
    text: "select finish_move($1, $2::bigint, $3::int, $4)",
    values: [accountNo, number, cell, refusal ?? null],
  });
  return row?.[0] === "t";
}
