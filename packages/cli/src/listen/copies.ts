/** Which notifications arrived before: attempts and replays have one X-EXTERNAL-ID and one body. */
import { hashBody } from "@titian/contract";
import type { Incoming } from "./incoming.ts";

export interface Copy {
  /** When the first one arrived: real time (epoch ms). */
  readonly firstAt: number;
  /** How often it has arrived, this time included: from 2. */
  readonly count: number;
}

const entriesMax = 10_000;

/** Counts an arrival; undefined for the first one. Forgets the oldest notifications. */
export function createCopies(): (incoming: Incoming) => Copy | undefined {
  const seen = new Map<string, Copy>();
  return ({ headers, body, receivedAt }) => {
    const externalId = headers["x-external-id"];
    if (typeof externalId !== "string") return undefined;
    const key = `${externalId} ${hashBody(body)}`;
    const before = seen.get(key);
    const now = { firstAt: before?.firstAt ?? receivedAt, count: (before?.count ?? 0) + 1 };
    if (before === undefined && seen.size >= entriesMax) seen.delete(seen.keys().next().value ?? "");
    seen.set(key, now);
    return now.count === 1 ? undefined : now;
  };
}
