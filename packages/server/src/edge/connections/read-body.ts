/** Reads a request's body as the bytes that were sent, and never keeps more than its limit (spec D2 step 2). */
import type { IncomingMessage } from "node:http";
import type { BodyShare } from "./body-budget.ts";

/** `tooLarge`: over the limit. `noRoom`: the share is full. `aborted`: the caller went away before the end. */
type BodyOutcome = Buffer | "tooLarge" | "noRoom" | "aborted";

const nothing = Buffer.alloc(0);

/** Whether the announced length alone is over the limit. */
export function announcesTooMuch(request: IncomingMessage, limit: number): boolean {
  return Number(request.headers["content-length"] ?? 0) > limit;
}

/** `shareFor`: its share, which may end it. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  shareFor: (evict: () => void) => BodyShare,
): Promise<BodyOutcome> {
  return new Promise((settle) => {
    const share = shareFor(() => resolve("noRoom"));
    let size = 0;
    let kept = 0;
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    const resolve = (outcome: BodyOutcome) => {
      share.release(kept);
      kept = 0;
      first = more = undefined;
      request.off("data", onData);
      // What nobody asks for any more stays unread until the response is sent.
      if (!Buffer.isBuffer(outcome)) request.pause();
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
