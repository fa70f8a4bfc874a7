/** What a page reads: one answer, or a list by pages, with its loading and error states. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { generation } from "./connection.ts";
import { control, ControlError } from "./control.ts";

export interface Resource<Data> {
  /** The last answer, kept while it is read anew. */
  readonly data: Data | undefined;
  readonly error: ControlError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * Reads `path`, again when something has changed, and every `everyMs` while the page is visible.
 * @param path undefined: nothing yet
 */
export function useControl<Data>(path: string | undefined, everyMs?: number): Resource<Data> {
  const resource = useRead<Data>(path, generation.value);
  useInterval(resource.reload, everyMs);
  return resource;
}

/** Reads `path` once, and again only by `reload`: what a form starts from stays while it is filled. */
export function useControlOnce<Data>(path: string): Resource<Data> {
  return useRead<Data>(path, 0);
}

function useRead<Data>(path: string | undefined, version: number): Resource<Data> {
  const [read, setRead] = useState<{ path: string; data?: Data; error?: ControlError }>();
  const [asked, setAsked] = useState(0);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    control<Data>(path, { signal: abort.signal })
      .then((data) => setRead({ path, data }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        setRead((old) => ({ ...(old?.path === path && old), path, error: asControlError(error) }));
      });
    return () => abort.abort();
  }, [path, asked, version]);
  const current = read?.path === path ? read : undefined;
  return { data: current?.data, error: current?.error, isLoading: path !== undefined && !current, reload };
}

function useInterval(act: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") act();
    }, everyMs);
    return () => clearInterval(timer);
  }, [act, everyMs]);
}

export interface Pages<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: ControlError | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

interface Loaded<Row> {
  readonly path: string;
  /** Cursor of the first page when they were read: with another one the pages no longer join. */
  readonly firstNext: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * The first page of `path`, kept up to date, and the older pages that were asked for.
 * @param rowsOf what an answer holds, and the cursor of the page after it
 */
export function usePages<Answer, Row>(
  path: string,
  rowsOf: (answer: Answer) => { readonly rows: readonly Row[]; readonly next: string | null | undefined },
  cursorName = "before",
  everyMs?: number,
): Pages<Row> {
  const first = useControl<Answer>(path, everyMs);
  const [older, setOlder] = useState<Loaded<Row>>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [error, setError] = useState<ControlError>();
  const shown = useRef(path);
  shown.current = path;
  const page = first.data && rowsOf(first.data);
  const firstNext = page?.next ?? undefined;
  const kept = older?.path === path && older.firstNext === firstNext ? older : undefined;
  const next = kept ? kept.next : firstNext;
  const loadMore = (): void => {
    if (next === undefined || firstNext === undefined || isLoadingMore) return;
    setLoadingMore(true);
    setError(undefined);
    const separator = path.includes("?") ? "&" : "?";
    control<Answer>(`${path}${separator}${cursorName}=${encodeURIComponent(next)}`)
      .then((answer) => {
        if (shown.current !== path) return;
        const read = rowsOf(answer);
        const rows = [...(kept?.rows ?? page?.rows ?? []), ...read.rows];
        setOlder({ path, firstNext, rows, next: read.next ?? undefined });
      })
      .catch((failure: unknown) => setError(asControlError(failure)))
      .finally(() => setLoadingMore(false));
  };
  return {
    rows: kept?.rows ?? page?.rows,
    error: first.error ?? error,
    isLoading: first.isLoading,
    hasMore: next !== undefined,
    isLoadingMore,
    loadMore,
  };
}

export function asControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError(0, "", error instanceof Error ? error.message : String(error));
}
