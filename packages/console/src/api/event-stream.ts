/**
 * Server-sent events of the control API, read by fetch: an EventSource cannot send the header by which the service knows
 * our pages where the browser sends no Sec-Fetch-Site, over http under an address that is not loopback.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Call } from "./call.ts";
import { type ControlError, fetchControl } from "./control.ts";
import { asControlError } from "./resource.ts";

const firstDelayMs = 1_000;
const lastDelayMs = 5_000;
/** More characters than an event of ours has. */
const eventMax = 1_048_576;

export interface EventListener {
  /** Each time that the stream is open. */
  onOpen(): void;
  onEvent(event: EventSourceMessage): void;
  /** The stream was not opened, or broke. */
  onError(error: ControlError): void;
}

/**
 * Follows them until `signal` is aborted. When the stream ends it is opened again after the last event that came, later
 * with each attempt that fails.
 */
export async function followEvents(call: Call<unknown>, signal: AbortSignal, listener: EventListener): Promise<void> {
  let lastEventId: string | undefined;
  let delayMs = firstDelayMs;
  const onEvent = (event: EventSourceMessage): void => {
    lastEventId = event.id ?? lastEventId;
    listener.onEvent(event);
  };
  while (!signal.aborted) {
    try {
      const headers = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
      const response = await fetchControl(call, { headers, signal });
      delayMs = firstDelayMs;
      listener.onOpen();
      await readEvents(response, onEvent);
    } catch (error) {
      if (!signal.aborted) listener.onError(asControlError(error));
    }
    await sleep(delayMs, signal);
    delayMs = Math.min(delayMs * 2, lastDelayMs);
  }
}

/** Ends with the stream. @throws when it breaks. */
async function readEvents({ body }: Response, onEvent: (event: EventSourceMessage) => void): Promise<void> {
  if (body === null) return;
  const parser = createParser({ onEvent, maxBufferSize: eventMax });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value);
}

/** Ends early when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
