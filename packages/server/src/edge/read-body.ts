/** Reads a request's body as the bytes that were sent, and never keeps more than its limit (decision D2 step 2). */
import type { IncomingMessage } from "node:http";
import type { BodyBudget } from "./body-budget.ts";

/** `tooLarge`: over the limit. `noRoom`: others' bodies fill the budget. `aborted`: the caller went away before the end. */
type BodyOutcome = Buffer | "tooLarge" | "noRoom" | "aborted";

/**
 * How much of a body that is too large is read and thrown away so that the caller, who may send all of it before
 * looking for an answer, gets one. Whoever sends more is answered at once and cut off.
 */
const discardMax = 32 * 1_048_576;
const nothing = Buffer.alloc(0);

/** Whether the announced length alone is over the limit. */
export function announcesTooMuch(request: IncomingMessage, limit: number): boolean {
  return Number(request.headers["content-length"] ?? 0) > limit;
}

export function readBody(request: IncomingMessage, limit: number, budget: BodyBudget): Promise<BodyOutcome> {
  return new Promise((settle) => {
    let size = 0;
    let kept = 0;
    let refused = false;
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    const drop = () => {
      first = more = undefined;
      budget.give(kept);
      kept = 0;
    };
    const resolve = (outcome: BodyOutcome) => {
      drop();
      settle(outcome);
    };

    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (refused || size > limit) {
        drop();
        if (size > limit + discardMax) resolve("tooLarge");
        return;
      }
      refused = !budget.take(chunk.length);
      if (refused) return drop();
      kept += chunk.length;
      if (first === undefined) {
        first = chunk;
      } else {
        more ??= [first];
        more.push(chunk);
      }
    });
    request.on("end", () => {
      if (size > limit) resolve("tooLarge");
      else if (refused) resolve("noRoom");
      else resolve(more === undefined ? (first ?? nothing) : Buffer.concat(more, size));
    });
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}
