/** The live list of calls: the newest ones, and each as it is answered. */
import type { CallView } from "@titian/control/types";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ControlError } from "./control.ts";
import { type CallQuery, followCalls } from "./call-stream.ts";

/** Rows kept on the page. */
const rowsMax = 200;

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
  /** Calls that there were too many of at once to list. */
  readonly skipped: number;
}

function queryOf({ partnerId, operation, isRefused }: CallFilter): CallQuery {
  return {
    ...(partnerId && { partnerId }),
    ...(operation && { operation }),
    ...(isRefused && { refused: "true" }),
  };
}

/** @param isPaused the list stands still, and what comes is counted */
export function useLiveCalls(filter: CallFilter, isPaused: boolean): LiveCalls {
  const query = useMemo(() => queryOf(filter), [filter.partnerId, filter.operation, filter.isRefused]);
  const [calls, setCalls] = useState<readonly CallView[]>();
  const [error, setError] = useState<ControlError>();
  const [held, setHeld] = useState(0);
  const [skipped, setSkipped] = useState(0);
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
    setSkipped(0);
    waiting.current = [];
    return followCalls(query, {
      onPage: (page) => {
        setError(undefined);
        setCalls((old = []) => mergeCalls(page, old));
      },
      onError: setError,
      onSkipped: (count) => setSkipped((old) => old + count),
      onCalls: (fresh) => {
        waiting.current = mergeCalls(fresh, waiting.current);
        if (paused.current) setHeld(waiting.current.length);
        else show();
      },
    });
  }, [query]);
  return { calls, error, held, skipped };
}

/** Newest first, each once. */
function mergeCalls(fresh: readonly CallView[], old: readonly CallView[]): readonly CallView[] {
  const known = new Set(old.map(({ id }) => id));
  const added = fresh.filter(({ id }) => !known.has(id));
  if (added.length === 0) return old;
  return [...added, ...old].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, rowsMax);
}
