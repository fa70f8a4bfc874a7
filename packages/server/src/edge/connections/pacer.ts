/**
 * Paces responses to unauthenticated callers: an address with more requests waits for its responses, in order. None is
 * rejected, and no authenticated call waits (spec D2).
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";
import { type AddressList, addressShare, callerAddress } from "./address-list.ts";

interface Sizes {
  /** Length of the response. */
  readonly bytes?: number;
}

export interface Pacer {
  /**
   * Calls `go` when this request's address may have its response: at once within the pace. Not if its caller has left.
   */
  run(request: IncomingMessage, go: () => void, sizes?: Sizes): void;
}

const perSecond = 2_000;
/** Answers at once after a pause: as many as in this time. */
const burstMs = 1_000;
/** A large response counts as one for each of these. */
const responseBytes = 16_384;
const addressesMax = 100_000;

export function createPacer(clock: Clock, trustedProxies: AddressList): Pacer {
  const dueAt = new LRUCache<string, number>({ max: addressesMax });
  return {
    run(request, go, { bytes = 0 } = {}) {
      // Rejections do not wait for pages that others at the address read.
      const line = `${addressShare(callerAddress(request, trustedProxies))} ${bytes > 0 ? "pages" : "answers"}`;
      const now = clock.monotonic();
      const at = Math.max(dueAt.get(line) ?? 0, now - burstMs);
      const costMs = (1 + bytes / responseBytes) * (1_000 / perSecond);
      dueAt.set(line, at + costMs);
      if (at <= now) go();
      else wait(request.socket, at - now, go, () => dueAt.set(line, (dueAt.get(line) ?? costMs) - costMs));
    },
  };
}

/** Nothing of a caller who leaves is kept, and its time is given back: only those who are there wait for each other. */
function wait(socket: Socket, ms: number, go: () => void, reversal: () => void): void {
  if (socket.destroyed) return reversal();
  // A partner's connection can have 16 requests under way.
  socket.setMaxListeners(32);
  const leave = () => {
    clearTimeout(timer);
    reversal();
  };
  const timer = setTimeout(() => {
    socket.off("close", leave);
    go();
  }, ms);
  socket.once("close", leave);
}
