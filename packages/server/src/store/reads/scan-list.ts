/**
 * Lists with a filter. No filter has an index of its own: rows are read by their ids, in slices, and those that fit are kept. So
 * a page reads so many rows at most, whatever is asked, and says where the next one goes on.
 */
import type { Clock } from "../../basics/clock.ts";
import { highestId, idAt, lowestId } from "../../basics/ids.ts";

/** Conditions of a list; an absent one holds for every row. */
export interface ListFilter {
  /** `X-PARTNER-ID`. */
  readonly partnerId?: string | undefined;
  readonly state?: string | undefined;
  readonly serviceCode?: string | undefined;
  /** Business times (epoch ms), from (included) to (excluded). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Decimal texts, whatever the currency. */
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
}

export interface ListPage {
  /** Number that the page starts before, the `next` of the page before it; absent: the newest. */
  readonly before?: string | undefined;
  /** Instead, of a list from the oldest on: the number that it starts after; absent: the oldest. */
  readonly after?: string | undefined;
  readonly isOldestFirst?: boolean | undefined;
  readonly limit: number;
  readonly filter?: ListFilter | undefined;
  /** Counts the rows from here on, up to `countedMax`. */
  readonly isCounted?: boolean | undefined;
}

/** A row as filters see it; a value that it does not have fits no condition on it. */
export interface Listed {
  readonly partnerId?: string | undefined;
  readonly state?: string | undefined;
  readonly serviceCode?: string | undefined;
  /** Business time (epoch ms). */
  readonly at?: number | undefined;
  /** Minor units, of so many decimals. */
  readonly amount?: bigint | undefined;
  readonly scale?: number | undefined;
}

export interface RowCount {
  readonly rows: number;
  /** False: there may be more. */
  readonly isExact: boolean;
}

export interface Scanned<Row> {
  readonly rows: readonly Row[];
  /** Id before or after which the next page starts; undefined: there is none. */
  readonly next: string | undefined;
  readonly count: RowCount | undefined;
}

/** Rows of a table in the order of their ids. */
export interface Source<Row> {
  /** Rows beyond an id, without it: fewer than `size` are the last. */
  read(start: string, size: number): Promise<readonly Row[]>;
  idOf(row: Row): string;
  /** Undefined: the row is not of this list. */
  factsOf(row: Row): Listed | undefined;
  /** True: many rows are not of this list. */
  readonly isMixed?: boolean;
}

/** Part of a table in the order of a list. */
export interface IdRange {
  /** Id beyond which it starts. */
  readonly start: string;
  /** Absent: to the end of the table. */
  readonly end?: string;
  isBeyond?(id: string): boolean;
}

export const countedMax = 1_000;
const scannedMax = 20_000;
const sliceSize = 1_000;

export async function scanList<Row>(
  page: Pick<ListPage, "limit" | "filter" | "isCounted">,
  { start, isBeyond }: IdRange,
  source: Source<Row>,
): Promise<Scanned<Row>> {
  const { limit, filter = {}, isCounted = false } = page;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const size = isFiltered || isCounted || source.isMixed ? sliceSize : limit + 1;
  const wanted = (isCounted ? Math.max(limit, countedMax) : limit) + 1;
  const found: Row[] = [];
  let last = start;
  let hasMore = true;
  for (let scanned = 0; hasMore && found.length < wanted && scanned < scannedMax; scanned += size) {
    const slice = await source.read(last, size);
    last = slice.length === 0 ? last : source.idOf(slice.at(-1) as Row);
    hasMore = slice.length === size && isBeyond?.(last) !== true;
    const inside = slice.filter((row) => isBeyond?.(source.idOf(row)) !== true);
    found.push(...inside.filter((row) => fits(source.factsOf(row), filter)));
  }
  const rows = found.slice(0, limit);
  const lastShown = rows.at(-1);
  const isFull = found.length > limit;
  const next = isFull && lastShown !== undefined ? source.idOf(lastShown) : hasMore ? last : undefined;
  const count = { rows: Math.min(found.length, countedMax), isExact: !hasMore && found.length <= countedMax };
  return { rows, next, count: isCounted ? count : undefined };
}

/** Clocks of two nodes differ by less, and an id is at most a minute ahead of its row. */
const slackMs = 300_000;

/**
 * Ids of the rows of a page. Ids are of real time, and rows of business time, which the sandbox moves forward: a row is at most
 * as much later than its id as the clock is moved by now.
 */
export function idRangeOf(
  { isOldestFirst, filter = {} }: Pick<ListPage, "isOldestFirst" | "filter">,
  cursor: string | undefined,
  clock: Pick<Clock, "now" | "real">,
): IdRange {
  const movedBy = Math.max(0, clock.now() - clock.real());
  const lowest = filter.from === undefined ? lowestId : idAt(filter.from - movedBy - slackMs);
  const highest = filter.to === undefined ? highestId : idAt(filter.to + slackMs);
  return isOldestFirst
    ? { start: cursor !== undefined && cursor > lowest ? cursor : lowest, end: highest, isBeyond: (id) => id > highest }
    : {
        start: cursor !== undefined && cursor < highest ? cursor : highest,
        end: lowest,
        isBeyond: (id) => id < lowest,
      };
}

function fits(row: Listed | undefined, { from, to, minimum, maximum, ...equal }: ListFilter): boolean {
  if (row === undefined) return false;
  const names = ["partnerId", "state", "serviceCode"] as const;
  if (names.some((name) => equal[name] !== undefined && equal[name] !== row[name])) return false;
  if (from !== undefined && !(row.at !== undefined && row.at >= from)) return false;
  if (to !== undefined && !(row.at !== undefined && row.at < to)) return false;
  if (minimum === undefined && maximum === undefined) return true;
  if (row.amount === undefined) return false;
  const amount = row.amount * 10n ** BigInt(decimalsMax - (row.scale ?? 0));
  return (minimum === undefined || amount >= unitsOf(minimum)) && (maximum === undefined || amount <= unitsOf(maximum));
}

/** No currency has more. */
const decimalsMax = 4;

function unitsOf(decimal: string): bigint {
  const [whole = "", decimals = ""] = decimal.split(".");
  return BigInt(`${whole}${decimals.slice(0, decimalsMax).padEnd(decimalsMax, "0")}`);
}

/** A slice of a table. */
export interface ReadPage {
  /** Id beyond which it starts. */
  readonly start: string;
  readonly limit: number;
  readonly isOldestFirst?: boolean | undefined;
}

/** SQL of the rows beyond the first parameter, in the order of a list. */
export function beyond(isOldestFirst: boolean | undefined) {
  return isOldestFirst
    ? ({ condition: "id > $1::uuid", order: "id", suffix: "-oldest-first" } as const)
    : ({ condition: "id < $1::uuid", order: "id desc", suffix: "" } as const);
}
