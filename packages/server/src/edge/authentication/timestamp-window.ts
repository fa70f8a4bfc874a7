/** Step 6: `X-TIMESTAMP` is near our time (spec D2). */
import type { Clock, Instant } from "../../basics/clock.ts";
import { type RejectedCall, reject } from "../responses/rejected-call.ts";

const outside = reject(6, "unauthorized", { reason: "Timestamp" });

/**
 * Near means within the window, both ways, of business time or of real time: after the sandbox's clock was moved, real
 * clients keep working. Returns the real time at which the timestamp leaves the window, the later one if it is near both.
 */
export function checkTimestamp(at: Instant, windowMs: number, clock: Clock): Instant | RejectedCall {
  const real = clock.real();
  if (Math.abs(at - real) <= windowMs) return at + windowMs;
  // Business time only ever moves forward, so nearness to real time leaves the window later and was asked first.
  const now = clock.now();
  return Math.abs(at - now) <= windowMs ? real + at - now + windowMs : outside;
}
