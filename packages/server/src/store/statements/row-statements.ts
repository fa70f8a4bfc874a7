/**
 * Statements that write many rows of one table: each column is sent as one array. Their texts are built once, when a
 * module is loaded; what runs for each row is one function a column.
 */
import { bigintArray, countArray, intArray, timeArray, uuidArray } from "./binary-arrays.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { plainArray, readTextList, textList } from "../postgres/sql-arrays.ts";

/** A column of rows that are sent as arrays. */
export interface Column<Row> {
  /** SQL that reads parameter `n` as an array. */
  readonly read: (n: number) => string;
  /** The parameter's value. */
  readonly encode: (rows: readonly Row[]) => Buffer | string;
}

export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

const columnOf =
  <Value>(read: (n: number) => string, encode: (values: readonly Value[]) => Buffer | string) =>
  <Row>(valueOf: (row: Row) => Value): Column<Row> => ({ read, encode: (rows) => encode(rows.map(valueOf)) });

export const uuid = columnOf((n) => `$${n}::uuid[]`, uuidArray);
export const int = columnOf((n) => `$${n}::int[]`, intArray);
export const bigint = columnOf((n) => `$${n}::bigint[]`, bigintArray);
/** A `bigint` that a number holds exactly. */
export const count = columnOf((n) => `$${n}::bigint[]`, countArray);
/** A `timestamptz` from epoch milliseconds. */
export const time = columnOf((n) => `$${n}::timestamptz[]`, timeArray);
/** Free text; undefined is null. */
export const text = columnOf(readTextList, textList);
/** A type whose values need no quoting in array text; undefined is null. */
export const plain = (type: string) => columnOf((n) => `$${n}::${type}[]`, plainArray);
/** A text of ours that needs no quoting: a currency, a state. */
export const code = plain("text");

type Sql = Readonly<Record<string, string>>;

/** Sends one statement. It is no async function: a value that cannot be written throws before anything behind it is sent. */
export type WriteRows<Row> = (session: Session, rows: readonly Row[], at: string) => Promise<unknown>;

/** One statement with its values, ready to be sent. */
export type EncodedRows = (session: Session) => Promise<readonly TextRow[]>;

/**
 * Inserts rows of a table. `rest`: further columns as SQL over the row (`r.…`) and `$1`, the time `at`; `end`: SQL behind
 * all of it, such as `on conflict …`. The list of rows must not be empty.
 */
export function insertRows<Row>(table: string, columns: Columns<Row>, rest: Sql, end = ""): WriteRows<Row> {
  const encode = encodeInsert<Row>({ name: `insert-${table.replaceAll("_", "-")}`, table, columns, rest, end });
  return (session, rows, at) => encode(rows, at)(session);
}

/** True in a transaction whose short batch was written (0052-short-batches.sql). */
const shortBatchWritten = "where current_setting('titian.short_batch', true) = 'written'";
const behindShortBatch = new WeakMap<Statement, Statement>();

/** The same statement, to be sent behind a short batch: it adds nothing where that was not written. Undefined: it has none. */
export function statementBehindShortBatch(statement: Statement): Statement | undefined {
  return behindShortBatch.get(statement);
}

export interface Insert<Row> {
  readonly name: string;
  readonly table: string;
  readonly columns: Columns<Row>;
  readonly rest: Sql;
  readonly end: string;
  /** True: the statement answers how many rows were added; absent: nothing. */
  readonly isCounted?: boolean;
}

/** The same in two steps: encoding many rows takes long, and is done before a transaction begins. */
export function encodeInsert<Row>({ name, table, columns, rest, end, isCounted = false }: Insert<Row>) {
  const names = Object.keys(columns);
  // PostgreSQL does not know the type of a parameter that nothing uses.
  const unused = Object.values(rest).some((sql) => sql.includes("$1"))
    ? ""
    : "cross join (select $1::timestamptz) given";
  const insert = (where: string) => `insert into ${table} (${[...names, ...Object.keys(rest)].join(", ")})
    select ${[...names.map((column) => `r.${column}`), ...Object.values(rest)].join(", ")} from ${rowsOf(columns)} r ${unused} ${where} ${end}`;
  const statement: Statement = {
    name,
    text: isCounted ? `with added as (${insert("")} returning 1) select count(*) from added` : insert(""),
  };
  if (!isCounted) behindShortBatch.set(statement, { name: `${name}-behind`, text: insert(shortBatchWritten) });
  const encoders = Object.values(columns).map((column) => column.encode);
  return (rows: readonly Row[], at: string): EncodedRows => {
    const values = [at, ...encoders.map((encode) => encode(rows))];
    return (session) => session.run(statement, values);
  };
}

export interface Update<Row> {
  readonly name: string;
  readonly table: string;
  /** Columns that the row must still have so. */
  readonly where: Columns<Row>;
  /** A further condition on the row `t` and its new values `c`. */
  readonly and?: string;
  readonly set: Columns<Row>;
  /** Further columns, as SQL over `t` and `c`. */
  readonly also?: Sql;
  /** SQL of a second value that the statement answers. */
  readonly answer?: string;
}

/** Updates locked rows; the statement fails with 22012 if one of them is not as it was locked. */
export function updateRows<Row>({ name, table, where, and, set, also = {}, answer }: Update<Row>) {
  const old = Object.fromEntries(Object.entries(where).map(([column, value]) => [`old_${column}`, value]));
  const columns: Columns<Row> = { ...old, ...set };
  const changes = [
    ...Object.keys(set).map((column) => `${column} = c.${column}`),
    ...Object.entries(also).map(([column, sql]) => `${column} = ${sql}`),
  ];
  const conditions = [...Object.keys(where).map((column) => `t.${column} = c.old_${column}`), ...(and ? [and] : [])];
  // The count is compared inside SQL: a wrong one divides by zero, and the commit in the same packet rolls back.
  const statement: Statement = {
    name,
    text: `with updated as (
    update ${table} t set ${changes.join(", ")} from ${rowsOf(columns)} c
    where ${conditions.join(" and ")} returning 1)
  select 1 / (case when (select count(*) from updated) = $1::bigint then 1 else 0 end)${answer ? `, ${answer}` : ""}`,
  };
  const encoders = Object.values(columns).map((column) => column.encode);
  return (session: Session, rows: readonly Row[]): Promise<readonly TextRow[]> =>
    session.run(statement, [rows.length, ...encoders.map((encode) => encode(rows))]);
}

/** SQL of the columns' arrays, in order, as parameters from `$first`. */
export function readArrays(columns: Columns<never>, first: number): readonly string[] {
  return Object.values(columns).map(({ read }, position) => read(first + position));
}

/** Values of these parameters. */
export function encodeArrays<Row>(columns: Columns<Row>, rows: readonly Row[]): readonly (Buffer | string)[] {
  return Object.values(columns).map(({ encode }) => encode(rows));
}

/**
 * SQL of a table with one row for each position of the columns' arrays, which are parameters from `$2`. `from unnest(a, b)`
 * says the same, and was slower: it first puts every array away as a table of its own, a tenth of the time of an update.
 */
function rowsOf(columns: Columns<never>): string {
  const arrays = Object.entries(columns).map(
    ([name, { read }], position) => `unnest(${read(position + 2)}) as ${name}`,
  );
  return `(select ${arrays.join(", ")})`;
}
