/**
 * Paces responses to unauthenticated callers: an address with more requests waits for its responses, in order, for those in
 * each partner's name apart. None is rejected, and no authenticated call waits (spec D2).
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";
import { type AddressList, addressShare, callerAddress } from "./address-list.ts";
import { claimedName, type PartnerDirectory } from "../partner-directory.ts";

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
/** Without its line a caller has its responses at once: nobody is slowed by the lines of others. */
const linesMax = 100_000;

interface PacerDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly trustedProxies: AddressList;
  readonly partners: Pick<PartnerDirectory, "byPartnerId" | "byClientKey">;
}

export function createPacer({ clock, trustedProxies, partners }: PacerDeps): Pacer {
  const dueAt = new LRUCache<string, number>({ max: linesMax });

  /** Rejections do not wait for pages that others at the address read, nor for those of another partner's calls. */
  function lineOf(request: IncomingMessage, bytes: number): string {
    const address = addressShare(callerAddress(request, trustedProxies));
    if (bytes > 0) return `${address} pages`;
    const name = claimedName(request);
    const claimed = partners.byPartnerId(name) ?? partners.byClientKey(name);
    // Invented names have one line together.
    return `${address} ${claimed?.key ?? "answers"}`;
  }

  return {
    run(request, go, { bytes = 0 } = {}) {
      const line = lineOf(request, bytes);
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
