/** Records that have words, by the index of the words alone: each kind of word is looked up for the newest, so many at most. */
import { highestId, lowestId } from "../../basics/ids.ts";
import { hashKeyedWord, hashOpenWord, isKeyed } from "../../admin/search/hash-words.ts";
import { idsOfMonth, type SearchKey } from "../../admin/search/search-keys.ts";
import type { StatementClient, StatementPool } from "../../store/postgres/connect.ts";
import { inTransaction } from "../../store/postgres/in-transaction.ts";
import { plainArray } from "../../store/postgres/sql-arrays.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import type { WordKind } from "../../admin/search/words.ts";
import type { Term } from "./read-query.ts";

/** A hash, and the ids that may have it: from the first, and before the second. */
export interface Probe {
  readonly kind: WordKind;
  readonly word: string;
  readonly from: string;
  readonly to: string;
}

/** The newest of each kind first. A keyed word has another hash in each month, an amount one of each day. */
export function probesOf(term: Term, keys: readonly SearchKey[]): readonly Probe[] {
  return term.flatMap((word): readonly Probe[] => {
    const { kind } = word;
    if (!isKeyed(word)) return [{ kind, word: hashOpenWord(word), from: lowestId, to: highestId }];
    return keys.toReversed().map(({ month, key }) => {
      const [from, to] = idsOfMonth(month);
      return { kind, word: hashKeyedWord(word, key), from, to };
    });
  });
}

/**
 * Runs the look-ups. PostgreSQL expects few records of any word, and would read all of one that a million have, to sort them:
 * without a sort it reads them in the order of the index, and stops.
 */
export function inOrderOfIndexes<Value>(
  pool: StatementPool,
  work: (client: StatementClient) => Promise<Value>,
): Promise<Value> {
  return inTransaction(pool, async (client) => {
    await client.query(
      "set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off",
    );
    return work(client);
  });
}

/**
 * Ids of the newest records that have one of the words, newest first. Of each kind so many are read: a frequent name would be
 * read so often in every month, and a frequent amount on every day.
 */
export async function listRecordsOfWords(
  client: StatementClient,
  probes: readonly Probe[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await queryRows(client, {
    name: "list-records-of-words",
    text: `select found.record from (select distinct kind from unnest($1::text[]) given (kind)) kinds
        cross join lateral (select of_probe.record from unnest($1::text[], $2::bigint[], $3::uuid[], $4::uuid[]) probe (kind, word, low, high)
          cross join lateral (select record from search_words
            where word = probe.word and record >= probe.low and record < probe.high order by record desc limit $5::int) of_probe
          where probe.kind = kinds.kind limit $5::int) found`,
    values: [
      plainArray(probes.map(({ kind }) => kind)),
      plainArray(probes.map(({ word }) => word)),
      plainArray(probes.map(({ from }) => from)),
      plainArray(probes.map(({ to }) => to)),
      limit,
    ],
  });
  const ids = new Set(rows.map(([id]) => id as string));
  return [...ids].toSorted().toReversed().slice(0, limit);
}

/** Those of the records that have one of the words, in their order: each is looked up by itself, never all records of a word. */
export async function filterByWords(
  client: StatementClient,
  records: readonly string[],
  probes: readonly Probe[],
): Promise<readonly string[]> {
  const rows = await queryRows(client, {
    name: "filter-records-by-words",
    text: `select given.record from unnest($1::uuid[]) given (record)
      cross join lateral (select from search_words w where w.record = given.record and w.word = any($2::bigint[]) limit 1) found`,
    values: [plainArray(records), plainArray(probes.map(({ word }) => word))],
  });
  const known = new Set(rows.map(([id]) => id as string));
  return records.filter((id) => known.has(id));
}
