/** Calls as they are answered, for as long as somebody looks. */
import type { CallView, SkippedView } from "@titian/control/types";
import type { EventSourceMessage } from "eventsource-parser";
import { call } from "./call.ts";
import { control, type ControlError } from "./control.ts";
import { followEvents } from "./event-stream.ts";
import { asControlError } from "./resource.ts";

/** Calls are handed over together, so that a burst is one change of the page. */
const gatherMs = 200;
const pageSize = "50";

/** Query of the list and the stream. */
export interface CallQuery {
  readonly partnerId?: string;
  readonly operation?: string;
  readonly refused?: "true" | "false";
}

export interface CallListener {
  /** The newest calls that are there already. */
  onPage(calls: readonly CallView[]): void;
  /** Newest first. */
  onCalls(calls: readonly CallView[]): void;
  onSkipped(count: number): void;
  onError(error: ControlError): void;
}

/** Returns what ends it. */
export function followCalls(query: CallQuery, listener: CallListener): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let gathered: CallView[] = [];
  const gather = setInterval(() => {
    if (gathered.length === 0) return;
    listener.onCalls(gathered.reverse());
    gathered = [];
  }, gatherMs);

  /** Read when the stream is open: a call between the two comes twice rather than never. */
  async function readPage(): Promise<void> {
    try {
      const { calls } = await control(call("GET /calls", { query: { limit: pageSize, ...query } }), { signal });
      if (!signal.aborted) listener.onPage(calls);
    } catch (error) {
      if (!signal.aborted) listener.onError(asControlError(error));
    }
  }

  function onEvent({ event, data }: EventSourceMessage): void {
    if (event === "call") gathered.push(parse<CallView>(data));
    if (event !== "skipped") return;
    const { calls, unrecorded } = parse<SkippedView>(data);
    listener.onSkipped(calls + unrecorded);
  }

  void followEvents(call("GET /calls/stream", { query }), signal, {
    onOpen: () => void readPage(),
    onEvent,
    // Without a stream, as where too many are open, the page still shows the newest calls.
    onError: () => void readPage(),
  });
  return () => {
    abort.abort();
    clearInterval(gather);
  };
}

/** Events are of the shape that the control API documents. */
function parse<Event>(data: string): Event {
  return JSON.parse(data) as Event;
}
