/** A list by pages: the first page is kept up to date, and those after it stay once they are loaded. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Call } from "./call.ts";
import { control, type ControlError } from "./control.ts";
import { asControlError, useControl } from "./resource.ts";

export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the page after it. */
  readonly next: string | null;
  /** Sentences on what is missing in it. */
  readonly gaps?: readonly string[];
  readonly count?: RowCount | undefined;
}

/** Rows of the whole list. */
export interface RowCount {
  readonly rows: number;
  /** False: there may be more. */
  readonly isExact: boolean;
}

export interface PagesOptions<Answer, Row> {
  readonly pageOf: (answer: Answer) => RowsPage<Row>;
  /** Id that tells a row from the others. */
  readonly idOf: (row: Row) => string | number;
  /** Name of the cursor in a query. */
  readonly cursorName?: string;
  readonly everyMs?: number;
  /** The first page is read with the count of all. */
  readonly isCounted?: boolean;
}

export interface Pages<Row> {
  readonly count: RowCount | undefined;
  readonly rows: readonly Row[] | undefined;
  /** Sentences on what is missing among them. */
  readonly gaps: readonly string[];
  readonly idOf: (row: Row) => string | number;
  readonly error: ControlError | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

/** All rows that are loaded, as one page, once there are more than those of the first. */
interface Loaded<Row> extends RowsPage<Row> {
  readonly path: string;
}

/** Read at most to join a first page to the loaded rows, when so many rows are new that the two do not overlap. */
const joinedPagesMax = 10;

export function usePages<Answer, Row>(call: Call<Answer>, options: PagesOptions<Answer, Row>): Pages<Row> {
  const { pageOf, idOf, cursorName = "before", everyMs, isCounted = false } = options;
  const { path } = call;
  const first = useControl(isCounted ? withMember(call, "count", "true") : call, everyMs);
  const [loaded, setLoaded] = useState<Loaded<Row>>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [error, setError] = useState<ControlError>();
  const shownPath = useRef(path);
  shownPath.current = path;
  const current = loaded?.path === path ? loaded : undefined;
  const firstPage = first.data && pageOf(first.data);
  const page = current ?? firstPage;

  const read = async (cursor: string, signal?: AbortSignal): Promise<RowsPage<Row>> => {
    return pageOf(await control(withMember(call, cursorName, cursor), signal && { signal }));
  };

  useEffect(() => {
    if (firstPage === undefined || current === undefined) return;
    const abort = new AbortController();
    joinTo(current.rows, firstPage, idOf, (cursor) => read(cursor, abort.signal))
      .then((newest) => {
        if (abort.signal.aborted) return;
        setLoaded((old) => old && withNewest(newest, old, idOf));
      })
      .catch((failure: unknown) => !abort.signal.aborted && setError(asControlError(failure)));
    return () => abort.abort();
  }, [first.data]);

  const loadMore = (): void => {
    const cursor = page?.next;
    if (page === undefined || cursor === undefined || cursor === null || isLoadingMore) return;
    setLoadingMore(true);
    setError(undefined);
    read(cursor)
      .then(({ rows, next, gaps = [] }) => {
        if (shownPath.current !== path) return;
        // Meanwhile the list may have grown on top, or started over.
        setLoaded((old) => {
          const base = old?.path === path ? old : page;
          return base.next === cursor
            ? { path, rows: [...base.rows, ...rows], next, gaps: [...(base.gaps ?? []), ...gaps] }
            : old;
        });
      })
      .catch((failure: unknown) => setError(asControlError(failure)))
      .finally(() => setLoadingMore(false));
  };
  return {
    rows: page?.rows,
    count: firstPage?.count,
    gaps: [...new Set([...(firstPage?.gaps ?? []), ...(current?.gaps ?? [])])],
    idOf,
    error: first.error ?? error,
    hasMore: page !== undefined && page.next !== null,
    isLoadingMore,
    loadMore,
  };
}

/** The call with one more member in its query. */
export function withMember<Answer>(call: Call<Answer>, name: string, value: string): Call<Answer> {
  const separator = call.path.includes("?") ? "&" : "?";
  return { ...call, path: `${call.path}${separator}${name}=${encodeURIComponent(value)}` };
}

/** The first page and those after it, until one has a row that is loaded already. */
async function joinTo<Row>(
  rows: readonly Row[],
  first: RowsPage<Row>,
  idOf: (row: Row) => string | number,
  read: (cursor: string) => Promise<RowsPage<Row>>,
): Promise<RowsPage<Row>> {
  const known = new Set(rows.map(idOf));
  let newest = first;
  for (let pages = 1; pages < joinedPagesMax && newest.next !== null; pages += 1) {
    // A filter may fit none of the newest: what is loaded stands behind them.
    if (newest.rows.length === 0 || newest.rows.some((row) => known.has(idOf(row)))) break;
    const page = await read(newest.next);
    newest = { rows: [...newest.rows, ...page.rows], next: page.next };
  }
  return newest;
}

/** Undefined, so that the list starts over: rows are missing between the two. */
function withNewest<Row>(
  newest: RowsPage<Row>,
  old: Loaded<Row>,
  idOf: (row: Row) => string | number,
): Loaded<Row> | undefined {
  const ids = new Set(newest.rows.map(idOf));
  const older = old.rows.filter((row) => !ids.has(idOf(row)));
  if (newest.next === null) return { path: old.path, ...newest };
  if (newest.rows.length === 0) return old;
  return older.length < old.rows.length ? { ...old, rows: [...newest.rows, ...older] } : undefined;
}
