/**
 * Compares the request keys of all cells: none stands in two (docs/adr/0095-bound-keys.md). All are read once in their order, a page of each cell at
 * a time.
 */
import { timeOf } from "../../basics/ids.ts";
import type { Finding } from "../../store/audit/finding.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { isNumberKey, listRequestKeys, type RequestKey } from "../../store/tables/requests/request-keys.ts";

export interface CompareKeysOptions {
  /** Time after which an external id may be another cell's (ms). */
  readonly keepExternalIdsMs: number;
  readonly onProgress: (text: string) => void;
  /** Keys of a cell that are read at a time. Absent: as many as are read in some milliseconds. */
  readonly page?: number;
}

/** A binding that is renewed no oftener than that (bind-call.ts) may be older than the request of its cell. */
const renewedWithinMs = 43_200_000;
const pageDefault = 10_000;
const tellEvery = 1_000_000;
/** More say nothing that these do not. */
const findingsMax = 100;

/** By numbers of cells. Usable while calls are decided: a key that is added behind the place reached is found the next time. */
export async function compareKeys(
  cells: ReadonlyMap<number, StatementPool>,
  { keepExternalIdsMs, onProgress, page = pageDefault }: CompareKeysOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const readers = [...cells].map(([cell, pool]) => readerOf(cell, pool, page));
  for (const reader of readers) await reader.next();
  for (let count = 1; findings.length < findingsMax; count += 1) {
    const heads = readers.filter(({ head }) => head !== undefined);
    const [least] = heads.map(({ head }) => (head as RequestKey).key).toSorted();
    if (least === undefined) break;
    const owners = heads.filter(({ head }) => head?.key === least);
    if (owners.length > 1 && isTakenTwice(owners, keepExternalIdsMs - renewedWithinMs))
      findings.push(describe(least, owners));
    for (const owner of owners) await owner.next();
    if (count % tellEvery === 0) onProgress(`Comparing keys of cells: ${count}`);
  }
  return findings;
}

interface Reader {
  readonly cell: number;
  /** Undefined: there are no more. */
  head: RequestKey | undefined;
  next(): Promise<void> | undefined;
}

function readerOf(cell: number, pool: StatementPool, size: number): Reader {
  let rows: readonly RequestKey[] = [];
  let at = 0;
  let isLast = false;
  const load = async () => {
    rows = await listRequestKeys(pool, rows.at(-1)?.key, size);
    isLast = rows.length < size;
    at = 0;
    reader.head = rows[0];
  };
  const reader: Reader = {
    cell,
    head: undefined,
    next: () => {
      at += 1;
      if (at >= rows.length && !isLast) return load();
      reader.head = rows[at];
      return undefined;
    },
  };
  return reader;
}

/** A number is one cell's for ever; an external id, for its time. */
function isTakenTwice(owners: readonly Reader[], apartMs: number): boolean {
  const heads = owners.flatMap(({ head }) => head ?? []);
  if (heads.some(({ key }) => isNumberKey(key))) return true;
  const times = heads.map(({ requestId }) => timeOf(requestId)).toSorted((one, other) => one - other);
  return times.some((time, at) => at > 0 && time - (times[at - 1] as number) < apartMs);
}

function describe(key: string, owners: readonly Reader[]): Finding {
  const found = owners.map(({ cell, head }) => `${head?.requestId} of cell ${cell}`).join(", ");
  return { check: "keyOfOneCell", subject: `key ${key}`, expected: "one request", found };
}
