/** Events that arrived before: attempts and replays have one service, number and status. */
import { hashBody } from "@titian/contract";
import type { Incoming } from "./incoming.ts";
import type { NotificationContent } from "./read-notification.ts";

export interface Copy {
  /** When the first one arrived: real time (epoch ms). */
  readonly firstAt: number;
  /** Number of its arrivals, this one included: from 2. */
  readonly count: number;
}

const entriesMax = 10_000;

/** Counts an arrival; undefined for the first one. Forgets the oldest events. */
export function createCopies(): (incoming: Incoming, content: NotificationContent) => Copy | undefined {
  const seen = new Map<string, Copy>();
  return ({ body, receivedAt }, { serviceCode, referenceNo, partnerReferenceNo, status, meaning }) => {
    const number = referenceNo ?? partnerReferenceNo ?? hashBody(body);
    const key = [serviceCode, number, status ?? meaning].join(" ");
    const before = seen.get(key);
    const now = { firstAt: before?.firstAt ?? receivedAt, count: (before?.count ?? 0) + 1 };
    if (before === undefined && seen.size >= entriesMax) seen.delete(seen.keys().next().value ?? "");
    seen.set(key, now);
    return now.count === 1 ? undefined : now;
  };
}
