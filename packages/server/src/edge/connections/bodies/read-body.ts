/** Reads a request's body as the bytes that were sent, and never keeps more than its limit (spec D2 step 2). */
import type { IncomingMessage } from "node:http";
import type { BodyShare, BodySize } from "./body-share.ts";

/** `tooLarge`: over the limit. `noCapacity`: the share stayed full. `aborted`: the caller went away before the end. */
type BodyOutcome = Buffer | "tooLarge" | "noCapacity" | "aborted";

const nothing = Buffer.alloc(0);

/** True when the announced length alone is over the limit. */
export function announcesTooMuch(request: IncomingMessage, limit: number): boolean {
  return (announcedLength(request) ?? 0) > limit;
}

function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** `shareFor`: its share, which may end it. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  shareFor: (size: BodySize, evict: () => void) => BodyShare,
): Promise<BodyOutcome> {
  return new Promise((settle) => {
    const share = shareFor({ announced: announcedLength(request), limit }, () => resolve("noCapacity"));
    let size = 0;
    let isOver = false;
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    const resolve = (outcome: BodyOutcome) => {
      isOver = true;
      share.release();
      first = more = undefined;
      request.off("data", onData);
      // A body that nobody asks for any more stays unread until the response is sent.
      if (!Buffer.isBuffer(outcome)) request.pause();
      settle(outcome);
    };
    /** Nothing of it is read meanwhile: what the caller sends fills the system's buffers. */
    const waitFor = async (reservation: Promise<boolean>) => {
      request.pause();
      const hasCapacity = await reservation;
      if (isOver) return;
      if (hasCapacity) request.resume();
      else resolve("noCapacity");
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return resolve("tooLarge");
      // A body that is here already, as most are when they are looked at, fills no pool.
      if (!request.complete) {
        const reserved = share.reserve(chunk.length);
        if (reserved === false) return resolve("noCapacity");
        if (reserved !== true) void waitFor(reserved);
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
