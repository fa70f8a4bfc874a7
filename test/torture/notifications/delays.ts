/** From a recorded event to the accepted notification of it. */
import type { Arrival } from "./endpoint-kinds.ts";
import { firstAccepted } from "./find-faults.ts";
import type { RecordedEvent } from "./record-events.ts";

export interface Delays {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Number that took longer than half a lease: most of them waited for that of a killed node. */
  readonly leased: number;
}

/** Lease of a claim in the sandbox: three time-outs of 2 s. */
const leaseMs = 6_000;

export function delaysOf(events: readonly RecordedEvent[], byId: ReadonlyMap<string, readonly Arrival[]>): Delays {
  const delays = events
    .map(({ externalId, recordedAt }) => firstAccepted(byId.get(externalId) ?? []) - recordedAt)
    .toSorted((one, other) => one - other);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  const leased = delays.filter((delay) => delay > leaseMs / 2).length;
  return { count: delays.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1), leased };
}

export function describeDelays({ count, p50Ms, p99Ms, mostMs, leased }: Delays): string {
  return `${count} with p50 ${p50Ms} ms, p99 ${p99Ms} ms, most ${mostMs} ms, ${leased} over ${leaseMs / 2} ms`;
}
