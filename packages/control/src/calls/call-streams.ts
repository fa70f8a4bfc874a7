/** Recorded calls as server-sent events. Who does not read is cut off: nothing waits for a slow reader. */
import type { ServerResponse } from "node:http";
import { newCorrelationId } from "@titian/server/admin";
import { ControlError } from "../control-error.ts";
import type { CallFeed, CallFilter } from "./call-feed.ts";
import type { SkippedView } from "./call-views.ts";
import type { CallRecord, RecordedCall } from "./record-calls.ts";
import { type Hide, showCall } from "./show-call.ts";

export interface CallStreams {
  /** Writes calls to the response until its reader leaves. @throws ControlError when there are too many. */
  open(response: ServerResponse, stream: StreamRequest): void;
  /** Ends them all; none is opened any more. */
  close(): void;
}

interface StreamRequest {
  readonly filter: CallFilter;
  /** The header Last-Event-ID: the calls after that one come first. Absent: from now on. */
  readonly lastEventId: string | undefined;
  /** Correlation id of the response. */
  readonly correlationId: string;
}

const streamsMax = 64;
const perSecond = 50;
const heartbeatMs = 15_000;
const heartbeatText = ":\n\n";
/** Bytes that a reader has not taken. */
const waitingBytesMax = 1_048_576;

export function createCallStreams(record: CallRecord, feed: CallFeed, hide: Hide): CallStreams {
  /** Events of another start of this node have another one. */
  const run = newCorrelationId();
  const texts = new WeakMap<RecordedCall, string>();
  /** Each with what writes to it. */
  const open = new Map<ServerResponse, (text: string) => void>();
  let isClosed = false;

  const eventOf = (call: RecordedCall): string => {
    const known = texts.get(call);
    if (known !== undefined) return known;
    const text = writeEvent("call", showCall(call, hide), `${run}-${call.sequence}`);
    texts.set(call, text);
    return text;
  };

  function sequenceOf(lastEventId: string | undefined): number {
    if (lastEventId === undefined) return record.lastSequence();
    const [, ofRun, sequence] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(lastEventId) ?? [];
    // All calls of this start came after an event of an earlier one.
    return ofRun === run ? Number(sequence) : 0;
  }

  return {
    open(response, { filter, lastEventId, correlationId }) {
      if (isClosed || open.size >= streamsMax) {
        // A reader that has left may be noticed only when something is written to it.
        for (const write of open.values()) write(heartbeatText);
        throw new ControlError(503, "unavailable", noRoom);
      }
      response.writeHead(200, { ...streamHeaders, "X-CORRELATION-ID": correlationId });
      const write = (text: string) => {
        // A reader that stands still keeps an ended response open.
        if (response.writableEnded || response.destroyed) return;
        response.write(text);
        if (response.writableLength > waitingBytesMax) response.destroy();
      };
      open.set(response, write);
      write("retry: 1000\n\n");
      const end = feed.follow({
        filter,
        after: sequenceOf(lastEventId),
        perSecond,
        onCalls: (calls) => write(calls.map(eventOf).join("")),
        onSkipped: (calls, unrecorded) => write(writeEvent("skipped", { calls, unrecorded } satisfies SkippedView)),
      });
      const heartbeat = setInterval(() => write(heartbeatText), heartbeatMs).unref();
      response.on("error", () => response.destroy());
      response.once("close", () => {
        clearInterval(heartbeat);
        end();
        open.delete(response);
      });
    },
    close() {
      isClosed = true;
      for (const response of open.keys()) response.end();
    },
  };
}

const noRoom = `At most ${streamsMax} streams are open at once, and none while the service stops: end one, or try again.`;

const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // For proxies that collect an answer before they pass it on.
  "X-Accel-Buffering": "no",
};

/** JSON has no line break outside of escapes, so an event is one line of data. */
function writeEvent(event: string, data: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
