/** Data that a page reads, with its loading and error states. */
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Call } from "./call.ts";
import { generation } from "./connection.ts";
import { control, ControlError } from "./control.ts";

export interface Resource<Data> {
  /** The last answer, kept while it is read anew. */
  readonly data: Data | undefined;
  readonly error: ControlError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** Makes the call, again when something has changed, and every `everyMs` while the page is visible. Undefined: none is made. */
export function useControl<Data>(call: Call<Data> | undefined, everyMs?: number): Resource<Data> {
  const { poll, ...resource } = useRead(call, generation.value);
  useInterval(poll, everyMs);
  return resource;
}

/** Makes the call once, and again only by `reload`: what a form starts from stays while it is filled. */
export function useControlOnce<Data>(call: Call<Data>): Resource<Data> {
  return useRead(call, 0);
}

/** A page that looks again by itself does not keep a session open. */
const pollHeaders = { "X-Titian-Poll": "1" } as const;

function useRead<Data>(call: Call<Data> | undefined, version: number): Resource<Data> & { poll(): void } {
  const path = call?.path;
  const [read, setRead] = useState<{ path: string | undefined; data?: Data; error?: ControlError }>();
  const [asked, setAsked] = useState({ count: 0, isPoll: false });
  const ask = useCallback((isPoll: boolean) => setAsked(({ count }) => ({ count: count + 1, isPoll })), []);
  const reload = useCallback(() => ask(false), [ask]);
  const poll = useCallback(() => ask(true), [ask]);
  useEffect(() => {
    if (call === undefined) return;
    const abort = new AbortController();
    control(call, { signal: abort.signal, ...(asked.isPoll && { headers: pollHeaders }) })
      .then((data) => setRead({ path, data }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        setRead((old) => ({ ...(old?.path === path && old), path, error: asControlError(error) }));
      });
    return () => abort.abort();
  }, [path, asked, version]);
  const current = read?.path === path ? read : undefined;
  return { data: current?.data, error: current?.error, isLoading: !current, reload, poll };
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

export function asControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError(0, "", error instanceof Error ? error.message : String(error));
}
