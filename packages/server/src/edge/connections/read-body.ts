/** Reads a request's body as the bytes that were sent, and never keeps more than its limit (spec D2 step 2). */
import type { IncomingMessage } from "node:http";
import type { BodyShare } from "./body-budget.ts";

/** `tooLarge`: over the limit. `noRoom`: the share is full. `aborted`: the caller went away before the end. */
type BodyOutcome = Buffer | "tooLarge" | "noRoom" | "aborted";

/**
 * How much of a body beyond its limit is read and discarded, for callers that read the response only after they have sent
 * the body. More than that is cut off.
 */
const discardMore = 1_048_576;
const nothing = Buffer.alloc(0);

/** Whether the announced length alone is over the limit. */
export function announcesTooMuch(request: IncomingMessage, limit: number): boolean {
  return Number(request.headers["content-length"] ?? 0) > limit;
}

/** Reads and discards the rest. False when the caller went away, or sends too much. */
export function discardBody(request: IncomingMessage, limit: number): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(request.complete);
  return new Promise((resolve) => {
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit + discardMore) resolve(false);
    });
    request.on("end", () => resolve(true));
    request.on("error", () => resolve(false));
    request.on("close", () => resolve(request.complete));
  });
}

/** For an answer that does not wait for the rest of the body. */
export async function discardOrCut(request: IncomingMessage, limit: number): Promise<void> {
  if (!(await discardBody(request, limit))) request.socket.destroy();
}

export function readBody(request: IncomingMessage, limit: number, share: BodyShare): Promise<BodyOutcome> {
  return new Promise((settle) => {
    let size = 0;
    let kept = 0;
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    const resolve = (outcome: BodyOutcome) => {
      share.release(kept);
      kept = 0;
      first = more = undefined;
      request.off("data", onData);
      settle(outcome);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return resolve("tooLarge");
      // A body that is here already, as most are when they are looked at, fills no pool.
      if (!request.complete) {
        if (!share.reserve(chunk.length)) return resolve("noRoom");
        kept += chunk.length;
      }
      if (first === undefined) {
        first = chunk;
      } else {
        more ??= [first];
        more.push(chunk);
      }
    };
    request.on("data", onData);
    request.on("end", () => resolve(more === undefined ? (first ?? nothing) : Buffer.concat(more, size)));
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}
