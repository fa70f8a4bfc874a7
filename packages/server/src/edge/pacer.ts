/**
 * How fast callers nobody knows are answered: an address that asks for more waits for its answers, one after the other.
 * Nobody is refused for it, and no authenticated call waits (decision D2).
 */
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { type AddressList, addressShare, callerAddress } from "./address-list.ts";

export interface Pacer {
  /**
   * Calls `go` when this request's address may have an answer of so many bytes: at once within the pace. Not if its
   * caller has left.
   */
  run(request: IncomingMessage, go: () => void, bytes?: number): void;
}

const perSecond = 2_000;
/** Answers at once after a pause: as many as in this time. */
const burstMs = 1_000;
/** A large answer counts as one for each of these. */
const answerBytes = 16_384;
const addressesMax = 100_000;

export function createPacer(clock: Clock, trustedProxies: AddressList): Pacer {
  const dueAt = new LRUCache<string, number>({ max: addressesMax });
  return {
    run(request, go, bytes = 0) {
      const address = addressShare(callerAddress(request, trustedProxies));
      const now = clock.monotonic();
      const at = Math.max(dueAt.get(address) ?? 0, now - burstMs);
      dueAt.set(address, at + (1 + bytes / answerBytes) * (1_000 / perSecond));
      if (at <= now) go();
      else setTimeout(() => request.socket.destroyed || go(), at - now);
    },
  };
}
