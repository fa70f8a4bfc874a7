/** Waits for the notifications of an event, until each was accepted, kept, or has failed once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "@titian/server/admin";
import type { NotificationView } from "@titian/sandbox/types";
import type { CallRow } from "../control/call-row.ts";

export interface FollowDeps {
  readonly call: CallRow;
  readonly clock: Clock;
}

const everyMs = 100;
/** A receiver has 2 s for a reply, and for a token in mode 1. */
const limitMs = 12_000;

/** The notifications of a transfer or bulk, the first one first, when `isEnough` says so or the time is over. */
export async function followNotifications(
  { call, clock }: FollowDeps,
  referenceNo: string,
  isEnough: (notifications: readonly NotificationView[]) => boolean,
): Promise<readonly NotificationView[]> {
  const until = clock.monotonic() + limitMs;
  for (;;) {
    const { notifications } = await call("GET /notifications", { query: { referenceNo } });
    const found = notifications.toReversed();
    if (isEnough(found) || clock.monotonic() > until) return found;
    await pause(everyMs);
  }
}

/** A return behind a result that has failed once waits for it. */
export function haveEnded(notifications: readonly NotificationView[], count: number): boolean {
  const hasFailed = notifications.some(isFailing);
  return notifications.length >= count && notifications.every((one) => one.state !== "waiting" || hasFailed);
}

/** Waits for its next attempt, or was given up. */
export function isFailing({ state, attempts }: NotificationView): boolean {
  return state === "dead" || (state === "waiting" && attempts.length > 0);
}
