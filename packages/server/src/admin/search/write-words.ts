/** Words of records, written in one transaction with the position. */
import type { Secrets } from "../../basics/secrets.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { inTransaction } from "../../store/postgres/in-transaction.ts";
import { findHolders } from "../../store/reads/accounts.ts";
import { type Lease, moveSearchPosition } from "../../store/tables/search/search-positions.ts";
import {
  addSearchWords,
  listSearchedRequests,
  type SearchedRequest,
  type SearchWord,
} from "../../store/tables/search/search-words.ts";
import { lowestId } from "../../basics/ids.ts";
import { hashKeyedWord, hashOpenWord, isKeyed } from "./hash-words.ts";
import { ensureSearchKeys, monthOf } from "./search-keys.ts";
import { listRejectedCalls } from "./rejected-calls.ts";
import { type Holders, partiesOf, wordsOf } from "./words.ts";

interface WriteDeps {
  readonly pool: StatementPool;
  readonly secrets: Secrets;
}

/** @throws where another node has the lease now, or all is to be made again: nothing was written. */
export async function writeWords(
  deps: WriteDeps,
  lease: Lease,
  ids: readonly string[],
  position: string | undefined,
): Promise<void> {
  const words = ids.length === 0 ? [] : await makeWords(deps, ids);
  await inTransaction(deps.pool, async (client) => {
    const isOurs = await moveSearchPosition(client, lease, position ?? lowestId);
    if (!isOurs) throw new Error("Another node fills the search now, or it is made again.");
    if (words.length > 0) await addSearchWords(client, words);
  });
}

async function makeWords(deps: WriteDeps, ids: readonly string[]): Promise<readonly SearchWord[]> {
  const keys = await ensureSearchKeys(deps, new Set(ids.map(monthOf)));
  const accepted = await listSearchedRequests(deps.pool, ids);
  const known = new Set(accepted.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  const requests = [...accepted, ...(await listRejectedCalls(deps.pool, others, keys))];
  const holders = await findHolders(deps.pool, requests.flatMap(partiesOf));
  return requests.flatMap((request) => hashesOf(request, holders, keys.get(monthOf(request.id))));
}

/** Without a key, that of a month that was ended, there are no keyed words. */
export function hashesOf(request: SearchedRequest, holders: Holders, key: Buffer | undefined): readonly SearchWord[] {
  return wordsOf(request, holders).flatMap((word) => {
    if (!isKeyed(word)) return [{ word: hashOpenWord(word), record: request.id }];
    return key === undefined ? [] : [{ word: hashKeyedWord(word, key), record: request.id }];
  });
}
