/** Words that people know records by (ADR 0070): hashes, added by the job that fills the search, and never changed. */
import type { Pool, PoolClient } from "pg";
import { highestId } from "../../../basics/ids.ts";
import { plainArray } from "../../postgres/sql-arrays.ts";
import { queryRows } from "../../postgres/query-rows.ts";
import { uuidArray } from "../../statements/binary-arrays.ts";
import { hasId, idValues } from "../../statements/id-range.ts";
import { selectList } from "../../statements/select-list.ts";

/** A word's hash, as the text of a bigint, and the id of the record that has it. */
export interface SearchWord {
  readonly word: string;
  readonly record: string;
}

/** Neighbours one after the other; those that are there stay. */
export async function addSearchWords(client: PoolClient, words: readonly SearchWord[]): Promise<void> {
  await queryRows(client, {
    name: "add-search-words",
    text: `insert into search_words (word, record)
      select word, record from unnest($1::bigint[], $2::uuid[]) given (word, record) order by word, record
      on conflict do nothing`,
    values: [plainArray(words.map(({ word }) => word)), plainArray(words.map(({ record }) => record))],
  });
}

/** A request, accepted or rejected, as far as its words are made of it. */
export interface SearchedRequest {
  readonly id: string;
  readonly service: number;
  /** Empty: it is not known. */
  readonly externalId: string;
  /** JSON text, as an accepted request's. */
  readonly payload: string;
  /** Business time (epoch ms). */
  readonly at: number;
}

const columns = selectList(["id, service, external_id, payload"], ["accepted_at"]);

/** The accepted requests of these ids; one that is detached is left out. */
export async function listSearchedRequests(pool: Pool, ids: readonly string[]): Promise<readonly SearchedRequest[]> {
  const rows = await queryRows(pool, {
    name: "list-searched-requests",
    text: `select ${columns.sql} from accepted_requests where ${hasId("id")}`,
    values: idValues(ids),
  });
  return rows.map((row) => ({
    id: row[columns.at.id] as string,
    service: Number(row[columns.at.service]),
    externalId: row[columns.at.external_id] as string,
    payload: row[columns.at.payload] as string,
    at: Number(row[columns.at.accepted_at]),
  }));
}

/**
 * Ids above this one of what has words, in their order: accepted requests, and rejected calls that are kept with their body. Of
 * those so many are looked through as there are kept calls beside the accepted requests.
 */
export async function listSearchedIds(pool: Pool, after: string, limit: number): Promise<readonly string[]> {
  const accepted = await queryRows(pool, {
    name: "list-request-ids",
    text: "select id from accepted_requests where id > $1::uuid order by id limit $2::int",
    values: [after, limit],
  });
  const last = accepted.length < limit ? highestId : accepted.at(-1)?.[0];
  const rejected = await queryRows(pool, {
    name: "list-rejected-call-ids",
    text: `select record from kept_calls where record > $1::uuid and record < $2::uuid and partner is not null and body is not null
      order by record limit $3::int`,
    values: [after, last, limit],
  });
  return [...accepted, ...rejected]
    .map(([id]) => id as string)
    .toSorted()
    .slice(0, limit);
}

/** Count of the ids that `listSearchedIds` lists between each two of these neighbours, which are no ids of records. */
export async function countSearchedIds(pool: Pool, bounds: readonly string[]): Promise<readonly number[]> {
  const rows = await queryRows(pool, {
    name: "count-searched-ids",
    text: `select (select count(*) from accepted_requests where id > low and id < high) + (select count(distinct record) from kept_calls
        where record > low and record < high and partner is not null and body is not null)
      from unnest($1::uuid[], $2::uuid[]) with ordinality given (low, high, position) order by position`,
    values: [uuidArray(bounds.slice(0, -1)), uuidArray(bounds.slice(1))],
  });
  return rows.map(([count]) => Number(count));
}
