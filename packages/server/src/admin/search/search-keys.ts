/** Keys of the words of a month, opened. One that was ended is nowhere: its words are found by nobody. */
import { idAt, newSecret, timeOf } from "../../basics/ids.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import {
  addSearchKey,
  listSearchKeys,
  resealSearchKey,
  type SealedKey,
} from "../../store/tables/search/search-keys.ts";

export interface SearchKey {
  /** Such as `2026-11`, by UTC. */
  readonly month: string;
  readonly key: Buffer;
}

interface KeysDeps {
  readonly pool: StatementPool;
  readonly secrets: Pick<Secrets, "seal" | "open" | "isStale">;
}

const keyBytes = 32;

/** Month in which an id was made, such as `2026-11`. */
export function monthOf(id: string): string {
  return new Date(timeOf(id)).toISOString().slice(0, 7);
}

/** The ids of a month: from the first, and before the second. */
export function idsOfMonth(month: string): readonly [from: string, to: string] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return [idAt(Date.UTC(year, number - 1)), idAt(Date.UTC(year, number))];
}

/** Keys that were not ended, in the order of their months; those under an unknown master key are left out. */
export async function readSearchKeys({ pool, secrets }: KeysDeps): Promise<readonly SearchKey[]> {
  const found = (await listSearchKeys(pool)).map((row) => openKey(secrets, row));
  return found.filter((key) => key !== undefined);
}

/**
 * The keys of these months; a month without one gets it, unless it was ended.
 * @throws SealError for a key that was sealed with another master key: its words could not be made.
 */
export async function ensureSearchKeys(
  { pool, secrets }: KeysDeps,
  months: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  let rows = await listSearchKeys(pool);
  const endedUntil = rows.findLast(({ sealed }) => sealed === undefined)?.month ?? "";
  const known = new Set(rows.map(({ month }) => month));
  const missing = [...months].filter((month) => month > endedUntil && !known.has(month));
  for (const month of missing)
    await addSearchKey(pool, month, secrets.seal(newSecret(keyBytes), searchKeyContext(month)));
  // Another node may have been first.
  if (missing.length > 0) rows = await listSearchKeys(pool);
  const keys = new Map<string, Buffer>();
  for (const { month, sealed } of rows) {
    if (sealed === undefined || !months.has(month)) continue;
    const text = secrets.open(sealed, searchKeyContext(month));
    if (secrets.isStale(sealed))
      await resealSearchKey(pool, month, sealed, secrets.seal(text, searchKeyContext(month)));
    keys.set(month, Buffer.from(text, "base64url"));
  }
  return keys;
}

function openKey(secrets: KeysDeps["secrets"], { month, sealed }: SealedKey): SearchKey | undefined {
  if (sealed === undefined) return undefined;
  try {
    return { month, key: Buffer.from(secrets.open(sealed, searchKeyContext(month)), "base64url") };
  } catch {
    return undefined;
  }
}

export function searchKeyContext(month: string): string {
  return `search-key:${month}`;
}
