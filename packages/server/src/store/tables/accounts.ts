/** Accounts: locked by the batch that decides on them, written once a batch. */
import type { Account, AccountPurpose, AccountStatus } from "../../ledger/accounts/account.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import { uuidArray } from "../statements/binary-arrays.ts";
import { bigint, type Columns, count, int, updateRows, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import { type HoldKeys, holdKeyIds, holdKeyValues } from "./holds.ts";
import { rememberIds, type AccountKeys, withKnownIds } from "./known-account-ids.ts";
import { type LockedRow, readLockedRow } from "./locked-row.ts";
import type { Session, Statement, StatementValue, TextRow } from "../postgres/session.ts";
import { plainArray, readTextList, textList } from "../postgres/sql-arrays.ts";

export const accountColumns = selectList([
  "id, account_no, name, currency, purpose, type, status, authorized_partner_ids, balance, held, version",
  "minimum_balance, limit_per_transfer, limit_daily, limit_daily_count, daily_debit_date, daily_debit_total",
  "daily_debit_count",
]);

/** Accounts as a batch found them, and the transaction that wrote each of them so: the `xmin` of its row. */
export interface FoundAccounts {
  readonly accounts: readonly Account[];
  readonly xmins: readonly string[];
}

const withXmin = `${accountColumns.sql}, xmin`;
const xminAt = Object.keys(accountColumns.at).length;

/** Rows of `accountColumns` with `xmin` behind them. */
export function readFoundAccounts(rows: readonly TextRow[]): FoundAccounts {
  return { accounts: rows.map(readAccount), xmins: rows.map((row) => row[xminAt] as string) };
}

// Account numbers are immutable, so an unlocked sub-select over them is safe; every mutable column is read after the lock.
const idsOfNumbers = (parameter: number) =>
  `array(select found.id from unnest(${readTextList(parameter)}) requested (no)
      cross join lateral (select id from accounts where account_no = requested.no limit 1) found)`;

const lockAccountsStatement: Statement = {
  name: "lock-accounts",
  text: `select ${withXmin} from accounts where id = any($2::uuid[] || ${idsOfNumbers(1)})
    order by id for no key update`,
};

/** Locks the named accounts in the order of their ids. */
export async function lockAccounts(session: Session, keys: AccountKeys): Promise<FoundAccounts> {
  const { ids, numbers } = withKnownIds(session, keys);
  const found = readFoundAccounts(await session.run(lockAccountsStatement, [textList(numbers), uuidArray(ids)]));
  if (numbers.length > 0) rememberIds(session, found.accounts);
  return found;
}

// A hold names its accounts in immutable columns; it is locked before this statement runs.
const withHoldsOf = `$4::uuid[] || ${idsOfNumbers(3)}
      || array(select unnest(array[payer_account_id, settlement_account_id]) from holds where id = any(${holdKeyIds}))`;

const lockWithHoldsStatement: Statement = {
  name: "lock-accounts-of-holds",
  text: `select ${withXmin} from accounts where id = any(${withHoldsOf}) and id <> all($5::uuid[])
    order by id for no key update`,
};

/** Locks the named accounts together with those of their named parents, in the order of their ids; passes over `locked` ids. */
export async function lockAccountsWithParents(
  session: Session,
  keys: AccountKeys,
  parents: HoldKeys,
  locked: readonly string[],
): Promise<FoundAccounts> {
  const { ids, numbers } = withKnownIds(session, keys);
  const values = [...holdKeyValues(parents), textList(numbers), uuidArray(ids), uuidArray(locked)];
  const found = readFoundAccounts(await session.run(lockWithHoldsStatement, values));
  if (numbers.length > 0) rememberIds(session, found.accounts);
  return found;
}

const findLockedStatement: Statement = {
  name: "find-locked-accounts",
  text: `with requested as (select id, account_no, xmax::text as holder from accounts where id = any(${withHoldsOf})),
    free as (select id from accounts where id = any(array(select id from requested)) for no key update skip locked)
    select id, account_no, holder from requested where id not in (select id from free)`,
};

/** Those of the named accounts, and of their named holds', that are locked now. Does not wait, and keeps no lock. */
export async function findLockedAccounts(
  session: Session,
  { ids, numbers }: AccountKeys,
  parents: HoldKeys,
): Promise<readonly LockedRow[]> {
  const values = [...holdKeyValues(parents), textList(numbers), uuidArray(ids)];
  return (await session.run(findLockedStatement, values)).map(readLockedRow);
}

export interface AccountUpdate {
  readonly oldVersion: number;
  readonly account: Account;
}

/** Columns of an update: those by which its row is found, and those that it sets. */
export const accountUpdateColumns: { readonly where: Columns<AccountUpdate>; readonly set: Columns<AccountUpdate> } = {
  where: {
    id: uuid(({ account }) => account.id),
    version: count((update) => update.oldVersion),
  },
  set: {
    version: count(({ account }) => account.version),
    balance: bigint(({ account }) => account.balance),
    held: bigint(({ account }) => account.held),
    daily_debit_date: int(({ account }) => account.dailyUse.day),
    daily_debit_total: bigint(({ account }) => account.dailyUse.total),
    daily_debit_count: int(({ account }) => account.dailyUse.count),
  },
};

const update = updateRows<AccountUpdate>({
  name: "update-accounts",
  table: "accounts",
  ...accountUpdateColumns,
  answer: "pg_current_xact_id()::xid::text",
});

/**
 * Writes balances and daily use of locked accounts; fails with 22012 if one of them is not at its old version. Answers the
 * `xmin` that their rows have from now on.
 */
export function updateAccounts(session: Session, updates: readonly AccountUpdate[]): Promise<string> {
  return update(session, updates).then(([row]) => row?.[1] as string);
}

const insertAccountStatement: Statement = {
  name: "insert-account",
  text: `insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, minimum_balance,
      limit_per_transfer, limit_daily, limit_daily_count, opened_at)
    values ($1::uuid, $2, $3, $4, $5, $6, $7, $8::uuid[], $9::bigint, $10::bigint, $11::bigint, $12::int, $13::timestamptz)`,
};

/** Adds a new account with nothing on it. */
export function insertAccount(session: Session, account: Account, at: string): Promise<unknown> {
  return session.run(insertAccountStatement, [account.id, account.accountNo, ...termsOf(account), at]);
}

function termsOf(account: Account): readonly StatementValue[] {
  const { name, currency, purpose, type, status, partners, minimumBalance, limits } = account;
  return [
    name,
    currency,
    purpose,
    type,
    status,
    plainArray(partners),
    text(minimumBalance),
    text(limits.perTransaction),
    text(limits.daily),
    limits.dailyCount ?? null,
  ];
}

function text(amount: Minor | undefined): string | null {
  return amount === undefined ? null : amount.toString();
}

/** A row of `accountColumns` as an account. */
export function readAccount(row: TextRow): Account {
  const { at } = accountColumns;
  const amount = (position: number) => minor(BigInt(row[position] as string));
  const has = (position: number) => row[position] != null;
  return {
    id: row[at.id] as string,
    accountNo: row[at.account_no] as string,
    name: row[at.name] as string,
    currency: row[at.currency] as string,
    purpose: row[at.purpose] as AccountPurpose,
    type: row[at.type] as "D" | "S",
    status: row[at.status] as AccountStatus,
    partners: readPartners(row[at.authorized_partner_ids] as string),
    balance: amount(at.balance),
    held: amount(at.held),
    version: Number(row[at.version]),
    ...(has(at.minimum_balance) && { minimumBalance: amount(at.minimum_balance) }),
    limits: {
      ...(has(at.limit_per_transfer) && { perTransaction: amount(at.limit_per_transfer) }),
      ...(has(at.limit_daily) && { daily: amount(at.limit_daily) }),
      ...(has(at.limit_daily_count) && { dailyCount: Number(row[at.limit_daily_count]) }),
    },
    dailyUse: {
      day: Number(row[at.daily_debit_date]),
      total: amount(at.daily_debit_total),
      count: Number(row[at.daily_debit_count]),
    },
  };
}

/** PostgreSQL's text of a uuid array: `{a,b}` without quotes. */
function readPartners(array: string): readonly string[] {
  return array === "{}" ? [] : array.slice(1, -1).split(",");
}
