/** Server-sent events of calls, for as long as somebody looks: opened again whenever it ends. */
import { connection } from "./connection.ts";
import { control, type ControlError } from "./control.ts";
import { host } from "./host.ts";
import { asControlError } from "./resource.ts";
import type { CallsPage, CallView, SkippedView } from "./types.ts";

/** Calls are handed over together, so that a burst is one change of the page. */
const gatherMs = 200;
/** Before a stream that was refused is asked for again. */
const againMs = 2_000;
const pageSize = 50;

export interface CallListener {
  /** The newest calls that are there already. */
  onPage(calls: readonly CallView[]): void;
  /** Newest first. */
  onCalls(calls: readonly CallView[]): void;
  onSkipped(count: number): void;
  onError(error: ControlError): void;
}

/** Returns what ends it. */
export function followCalls(query: string, listener: CallListener): () => void {
  const abort = new AbortController();
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let gathered: CallView[] = [];
  const gather = setInterval(() => {
    if (gathered.length === 0) return;
    listener.onCalls(gathered.reverse());
    gathered = [];
  }, gatherMs);

  /** Read when the stream is open: a call between the two comes twice rather than never. */
  async function readPage(): Promise<void> {
    try {
      const { calls } = await control<CallsPage>(`/calls?limit=${pageSize}&${query}`, { signal: abort.signal });
      listener.onPage(calls);
    } catch (error) {
      if (!abort.signal.aborted) listener.onError(asControlError(error));
    }
  }

  function open(): void {
    source = new EventSource(`${host.control}/calls/stream?${query}`);
    source.addEventListener("open", () => void readPage());
    source.addEventListener("call", ({ data }) => gathered.push(parse<CallView>(data)));
    source.addEventListener("skipped", ({ data }) => {
      const { calls, unrecorded } = parse<SkippedView>(data);
      listener.onSkipped(calls + unrecorded);
    });
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) {
        // Refused: reading the page opens a session, or says what is wrong.
        void readPage();
        again = setTimeout(open, againMs);
      } else connection.value = "offline";
    });
  }

  open();
  return () => {
    abort.abort();
    source?.close();
    clearTimeout(again);
    clearInterval(gather);
  };
}

/** Events are of the shape that the control API documents. */
function parse<Event>(data: unknown): Event {
  return JSON.parse(String(data)) as Event;
}
