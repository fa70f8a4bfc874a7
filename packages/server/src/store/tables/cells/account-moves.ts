/** Accounts that have left a cell or are coming to one, each step by a function of the database (0062-account-moves.sql). */
import type { Pool } from "pg";
import type { Account, DailyUse, WrittenLimits } from "../../../ledger/accounts/account.ts";
import { queryRows } from "../../postgres/query-rows.ts";

/** An account, and the number that home gave its move: a step of an earlier one changes nothing. */
export interface AccountStep {
  readonly accountNo: string;
  readonly number: number;
}

/** It takes no debit here any more. May be repeated. @throws restrict_violation (23001), with the reason why it stays */
export async function leaveAccount(pool: Pool, { accountNo, number }: AccountStep, to: number): Promise<void> {
  await queryRows(pool, {
    name: "leave-account",
    text: "select leave_account($1, $2::bigint, $3::int)",
    values: [accountNo, number, to],
  });
}

/** Ends a move by which it shall not leave, for all nodes. False: it has left by it. */
export async function stayAccount(pool: Pool, { accountNo, number }: AccountStep): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "stay-account",
    text: "select stay_account($1, $2::bigint)",
    values: [accountNo, number],
  });
  return row?.[0] === "t";
}

/** Terms of the account where it takes debits. */
export interface KeptTerms {
  readonly status: string;
  /** Minor units. */
  readonly minimumBalance: string;
}

/** An account that has left the cell. */
export interface LeftAccount extends KeptTerms {
  /** Number of the move by which it has left. */
  readonly number: number;
  /** The cell that it has moved to. */
  readonly to: number;
}

/** Undefined: it has not left. */
export async function readLeft(pool: Pool, accountNo: string): Promise<LeftAccount | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-left-account",
    text: "select number, moved_to, status, minimum_balance from account_moves where account_no = $1 and moved_to is not null",
    values: [accountNo],
  });
  return (
    row && {
      number: Number(row[0]),
      to: Number(row[1]),
      status: row[2] as string,
      minimumBalance: row[3] as string,
    }
  );
}

export interface ReceivedAccount extends KeptTerms, Pick<Account, "id" | "name" | "currency" | "type" | "partners"> {
  /** Minor units. */
  readonly limits: WrittenLimits;
  /** Business time (epoch ms). */
  readonly at: number;
}

/** Opens it in the cell that it comes to, or where it was before. May be repeated. @throws restrict_violation (23001) for another account of that number */
export async function receiveAccount(
  pool: Pool,
  { accountNo, number }: AccountStep,
  from: number,
  account: ReceivedAccount,
): Promise<void> {
  await queryRows(pool, {
    name: "receive-account",
    text: "select receive_account($1::jsonb, $2::bigint, $3::int)",
    values: [JSON.stringify({ ...account, accountNo }), number, from],
  });
}

export interface Arrival {
  /** Number of the account that mirrors what comes from the cell. */
  readonly mirror: string;
  /** Version of the account that it mirrors, behind which nothing of the account is there. */
  readonly sent: number;
  /** Use of the day in the cell that it comes from. */
  readonly use: DailyUse;
}

/** It takes debits from now on. False: it does already. @throws restrict_violation (23001) while its money is on its way */
export async function arriveAccount(
  pool: Pool,
  { accountNo, number }: AccountStep,
  { mirror, sent, use }: Arrival,
): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "arrive-account",
    text: "select arrive_account($1, $2::bigint, $3, $4::bigint, $5::int, $6::bigint, $7::int)",
    values: [accountNo, number, mirror, sent, use.day, String(use.total), use.count],
  });
  return row?.[0] === "t";
}

/** An account that is coming to this cell. */
export interface ArrivingAccount extends AccountStep {
  /** The cell that it comes from. */
  readonly from: number;
}

/** Behind a number, in their order. */
export async function listArriving(pool: Pool, after: string, limit: number): Promise<readonly ArrivingAccount[]> {
  const rows = await queryRows(pool, {
    name: "list-arriving-accounts",
    text: `select account_no, number, arrives_from from account_moves where arrives_from is not null and account_no > $1
      order by account_no limit $2::int`,
    values: [after, limit],
  });
  return rows.map(([accountNo, number, from]) => ({
    accountNo: accountNo as string,
    number: Number(number),
    from: Number(from),
  }));
}

export interface MovedWithMoney {
  readonly accountNo: string;
  readonly currency: string;
  /** The cell that it has moved to. */
  readonly to: number;
}

export interface MovedPage {
  readonly accounts: readonly MovedWithMoney[];
  /** The last number of the page; undefined: there is none behind. */
  readonly last: string | undefined;
}

/**
 * Those accounts of a page, behind a number, that have left this cell and have money on them. The page is one of all moves: hardly any account has money,
 * so that a search for as many that have would look each of them up.
 */
export async function listMovedWithMoney(pool: Pool, after: string): Promise<MovedPage> {
  const rows = await queryRows(pool, {
    name: "list-moved-with-money",
    // The last of the page is a row in any case.
    text: `select page.last, a.account_no, a.currency, page.moved_to
      from (select account_no, moved_to, max(account_no) over () as last
          from (select account_no, moved_to from account_moves where account_no > $1 order by account_no limit 1024) found) page
        left join accounts a on a.account_no = page.account_no and page.moved_to is not null and a.balance > 0
      where a.account_no is not null or page.account_no = page.last order by page.account_no`,
    values: [after],
  });
  const accounts = rows.flatMap(([, accountNo, currency, to]) =>
    accountNo == null ? [] : [{ accountNo, currency: currency as string, to: Number(to) }],
  );
  return { accounts, last: rows.at(-1)?.[0] ?? undefined };
}

/** Accounts that have left this cell, behind a number, in their order. */
export async function listLeft(pool: Pool, after: string, limit: number): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "list-left-accounts",
    text: `select account_no from account_moves where moved_to is not null and account_no > $1
      order by account_no limit $2::int`,
    values: [after, limit],
  });
  return rows.map(([accountNo]) => accountNo as string);
}
