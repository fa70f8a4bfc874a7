/** The live list of calls: the newest ones, and each as it is answered. */
import { useEffect, useRef, useState } from "preact/hooks";
import { connection, generation, signIn } from "./connection.ts";
import { control, type ControlError } from "./control.ts";
import { host } from "./host.ts";
import { asControlError } from "./resource.ts";
import type { CallsPage, CallView } from "./types.ts";

/** Rows kept on the page. */
const rowsMax = 200;
/** Calls are shown together, so that a burst is one change of the page. */
const gatherMs = 200;

export interface CallFilter {
  readonly partnerId?: string;
  readonly operation?: string;
  readonly isRefused?: boolean;
}

export interface LiveCalls {
  /** Newest first. */
  readonly calls: readonly CallView[] | undefined;
  readonly error: ControlError | undefined;
  /** Calls that came while the list stood still. */
  readonly held: number;
}

export function queryOf({ partnerId, operation, isRefused }: CallFilter): string {
  const given = { ...(partnerId && { partnerId }), ...(operation && { operation }), ...(isRefused && { refused: "true" }) };
  return new URLSearchParams(given).toString();
}

/** @param isPaused the list stands still, and what comes is counted */
export function useLiveCalls(filter: CallFilter, isPaused: boolean): LiveCalls {
  const query = queryOf(filter);
  const [calls, setCalls] = useState<readonly CallView[]>();
  const [error, setError] = useState<ControlError>();
  const [held, setHeld] = useState(0);
  const paused = useRef(isPaused);
  const waiting = useRef<readonly CallView[]>([]);
  const show = (): void => {
    const fresh = waiting.current;
    waiting.current = [];
    setHeld(0);
    if (fresh.length > 0) setCalls((old = []) => mergeCalls(fresh, old));
  };
  useEffect(() => {
    paused.current = isPaused;
    if (!isPaused) show();
  }, [isPaused]);
  useEffect(() => {
    setCalls(undefined);
    waiting.current = [];
    return readCalls(query, {
      onPage: (page) => {
        setError(undefined);
        setCalls((old = []) => mergeCalls(page, old));
      },
      onError: setError,
      onCalls: (fresh) => {
        waiting.current = mergeCalls(fresh, waiting.current);
        if (paused.current) setHeld(waiting.current.length);
        else show();
      },
    });
  }, [query]);
  return { calls, error, held };
}

/** Newest first, each once. */
function mergeCalls(fresh: readonly CallView[], old: readonly CallView[]): readonly CallView[] {
  const known = new Set(old.map(({ id }) => id));
  const added = fresh.filter(({ id }) => !known.has(id));
  if (added.length === 0) return old;
  return [...added, ...old].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, rowsMax);
}

interface Listener {
  onPage(calls: readonly CallView[]): void;
  onCalls(calls: readonly CallView[]): void;
  onError(error: ControlError): void;
}

/** Reads the newest calls, then follows the stream; a stream that ends is opened again when the service is back. */
function readCalls(query: string, listener: Listener): () => void {
  const abort = new AbortController();
  let source: EventSource | undefined;
  let gathered: CallView[] = [];
  const timer = setInterval(() => {
    if (gathered.length === 0) return;
    listener.onCalls(gathered);
    gathered = [];
  }, gatherMs);
  const begin = async (): Promise<void> => {
    source?.close();
    try {
      const page = await control<CallsPage>(`/calls?${query}`, { signal: abort.signal });
      listener.onPage(page.calls);
    } catch (error) {
      if (!abort.signal.aborted) listener.onError(asControlError(error));
      return;
    }
    source = new EventSource(`${host.control}/calls/stream?${query}`, { withCredentials: true });
    source.addEventListener("call", ({ data }) => gathered.push(JSON.parse(String(data)) as CallView));
  };
  void begin();
  return () => {
    abort.abort();
    source?.close();
    clearInterval(timer);
  };
}
