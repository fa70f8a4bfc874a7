/** Request keys: which accepted request has an external id or a partner's number (spec D7). A narrow table of their own. */
import type { Pool } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";
import type { Session, Statement, TextRow } from "../../postgres/session.ts";
import { fenceId, isFence } from "../../../basics/ids.ts";
import { uuidArray } from "../../statements/binary-arrays.ts";
import type { EncodedRows } from "../../statements/row-statements.ts";

export interface RequestKey {
  readonly key: string;
  /** Id of the accepted request, or a fence. */
  readonly requestId: string;
}

/** Keys that were found: the position of each in the list that was looked up, and the request that has it. */
export type FoundKeys = ReadonlyMap<number, string>;

/** SQL of the id of the request that has a key. */
export const requestOfKey = (key: string) => `(select request_id from request_keys where key = ${key} limit 1)`;

// Looked up only after every lock of the batch is held: a statement's snapshot is its own (read committed).
const findStatement: Statement = {
  name: "find-request-keys",
  text: `select requested.position, found.request_id from unnest($1::uuid[]) with ordinality requested (key, position)
    cross join lateral ${requestOfKey("requested.key")} found`,
};

export async function findRequestKeys(session: Session, keys: readonly string[]): Promise<FoundKeys> {
  return readFoundKeys(await session.run(findStatement, [uuidArray(keys)]));
}

/** The same as queries see it, without keys that are fenced. */
export async function readRequestKeys(pool: Pool, keys: readonly string[]): Promise<FoundKeys> {
  return new Map([...(await readKeyHolders(pool, keys))].filter(([_position, id]) => !isFence(id)));
}

/** The same with fences. */
export async function readKeyHolders(pool: Pool, keys: readonly string[]): Promise<FoundKeys> {
  return keys.length === 0
    ? new Map()
    : readFoundKeys(await queryRows(pool, { ...findStatement, values: [uuidArray(keys)] }));
}

/**
 * Fences those of the keys that are free: no request of this database gets one any more (docs/adr/0100-rebound-keys.md). Waits for those who
 * are about to take one, in the order of the keys, as they do. `at`: business time (epoch ms).
 */
export async function fenceFreeKeys(pool: Pool, keys: readonly string[], at: number, cell: number): Promise<void> {
  const requestId = fenceId(at, cell);
  await queryRows(pool, { ...insertFreeStatement, values: keyValues(keys.map((key) => ({ key, requestId }))) });
}

function readFoundKeys(rows: readonly TextRow[]): FoundKeys {
  return new Map(rows.map(([position, id]) => [Number(position) - 1, id as string]));
}

/** First key of numbers: those below are external ids. */
export const firstNumberKey = "80000000-0000-0000-0000-000000000000";

export function isNumberKey(key: string): boolean {
  return key >= firstNumberKey;
}

/** Keys of requests behind one, in their order. Absent: from the first. */
export async function listRequestKeys(
  pool: Pool,
  after: string | undefined,
  limit: number,
): Promise<readonly RequestKey[]> {
  const rows = await queryRows(pool, {
    name: "list-request-keys",
    text: `select key, request_id from request_keys
      where key > $1::uuid and get_byte(uuid_send(request_id), 6) >> 4 <> 8 order by key limit $2::int`,
    values: [after ?? "00000000-0000-0000-0000-000000000000", limit],
  });
  return rows.map(([key, requestId]) => ({ key: key as string, requestId: requestId as string }));
}

const keysGiven = "(select unnest($1::uuid[]) as key, unnest($2::uuid[]) as request_id) given";

/** Their keys and their requests, in the order of the keys. */
export function keyValues(keys: readonly RequestKey[]): readonly Buffer[] {
  const inOrder = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return [uuidArray(inOrder.map(({ key }) => key)), uuidArray(inOrder.map(({ requestId }) => requestId))];
}

const releaseStatement: Statement = {
  name: "release-request-keys",
  text: `delete from request_keys k using ${keysGiven} where k.key = given.key and k.request_id = given.request_id`,
};

/**
 * Gives up external ids of old requests, so that this batch may take them again. One that another request has taken
 * meanwhile stays: the insert behind it then fails.
 */
export function releaseRequestKeys(session: Session, keys: readonly RequestKey[]): Promise<unknown> {
  return session.run(releaseStatement, keyValues(keys));
}

const insert = `insert into request_keys (key, request_id) select key, request_id from ${keysGiven}`;
const insertStatement: Statement = { name: "insert-request-keys", text: insert };

/** Takes keys, in their order: two nodes that take the same ones meet in one order. Fails with 23505 if one is taken. */
export function insertRequestKeys(session: Session, keys: readonly RequestKey[]): Promise<unknown> {
  return session.run(insertStatement, keyValues(keys));
}

const insertFreeStatement: Statement = {
  name: "insert-free-request-keys",
  text: `with added as (${insert} on conflict do nothing returning 1) select count(*) from added`,
};

/** Takes those of the keys that are free and answers how many they were. Encoded before it is sent. */
export function encodeFreeRequestKeys(keys: readonly RequestKey[]): EncodedRows {
  const values = keyValues(keys);
  return (session) => session.run(insertFreeStatement, values);
}
