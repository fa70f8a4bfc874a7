/** Outcome of a reply for the sender: asked of the sandbox, which knows the attempt and when the next one is due. */
import { setTimeout as pause } from "node:timers/promises";
import { parseTimestamp } from "@titian/contract";
import type { Clock } from "@titian/server/admin";
import type { NotificationView } from "@titian/sandbox/types";
import type { CallRow } from "../control/call-row.ts";
import type { NotificationContent } from "./read-notification.ts";

export interface Outcome {
  readonly state: NotificationView["state"] | "unknown";
  /** Number of this attempt, from 1. */
  readonly attempt?: number;
  /** Until the next attempt; of `waiting` alone. */
  readonly repeatedInSeconds?: number;
}

export interface OutcomeDeps {
  readonly call: CallRow;
  readonly clock: Clock;
}

/** Asked again so often, and for so long: the sender records an attempt after it has read the reply. */
const everyMs = 50;
const limitMs = 4_000;

/** Begun when the notification arrives; call what it returns when the reply was sent. Neither rejects. */
export function watchOutcome(deps: OutcomeDeps, content: NotificationContent): () => Promise<Outcome> {
  const find = () => findNotification(deps, content);
  const arrived = find();
  return async () => {
    const attempt = (await arrived)?.attemptCount;
    if (attempt === undefined) return { state: "unknown" };
    const until = deps.clock.monotonic() + limitMs;
    while (deps.clock.monotonic() < until) {
      const found = await find();
      if (found?.attempts.some((one) => one.attempt >= attempt) === true) return outcomeOf(found, attempt);
      await pause(everyMs);
    }
    return { state: "unknown", attempt };
  };
}

/** Undefined where the sandbox has none, or does not answer. */
async function findNotification(
  { call }: OutcomeDeps,
  { referenceNo, externalId }: NotificationContent,
): Promise<NotificationView | undefined> {
  if (referenceNo === undefined) return undefined;
  const found = await call("GET /notifications", { query: { referenceNo } }).catch(() => undefined);
  return found?.notifications.find((one) => one.externalId === externalId);
}

function outcomeOf({ state, nextAttemptAt, attempts }: NotificationView, attempt: number): Outcome {
  const repeatedInSeconds = secondsBetween(attempts[0]?.at, nextAttemptAt);
  return { state, attempt, ...(state === "waiting" && repeatedInSeconds !== undefined && { repeatedInSeconds }) };
}

/** Between an attempt and the next one, both business times. */
export function secondsBetween(from: string | undefined, to: string | null): number | undefined {
  const [start, end] = [parseTimestamp(from ?? ""), parseTimestamp(to ?? "")];
  return start === undefined || end === undefined ? undefined : Math.max(0, Math.round((end - start) / 1_000));
}

/** `10 s`, `5 min`, `15 h`. */
export function roughly(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
