/** What a run says of delays and copies. */
import type { TortureResult } from "../result.ts";
import { type Delays, delaysOf, describeDelays } from "./delays.ts";
import type { Arrival } from "./endpoint-kinds.ts";
import type { RecordedEvent } from "./record-events.ts";

export interface NotificationResult extends TortureResult {
  /**
   * The 99th percentile of the healthy endpoints' delay beside the sick ones, divided by that without them: the median of the
   * rounds. Undefined without rounds.
   */
  readonly ratio: number | undefined;
}

/** The healthy endpoints' events of one stretch of time. */
export interface Window {
  readonly events: readonly RecordedEvent[];
  /** What others took of the machine meanwhile, from 0 to 1. */
  readonly othersShare: number;
}

export interface Round {
  readonly alone: Window;
  readonly besideSick: Window;
}

export function summarize(
  events: readonly RecordedEvent[],
  arrivals: readonly Arrival[],
  rounds: readonly Round[],
  killed: readonly RecordedEvent[],
): Pick<NotificationResult, "summary" | "ratio"> {
  const byId = Map.groupBy(arrivals, ({ externalId }) => externalId);
  const delays = (some: readonly RecordedEvent[]) => delaysOf(some, byId);
  const accepted = arrivals.filter(({ acceptedAt }) => acceptedAt !== undefined);
  const copies = accepted.length - new Set(accepted.map(({ externalId }) => externalId)).size;
  const alone = delays(rounds.flatMap((round) => round.alone.events));
  const besideSick = delays(rounds.flatMap((round) => round.besideSick.events));
  const shares = rounds.flatMap((round) => [round.alone.othersShare, round.besideSick.othersShare]);
  const ratios = rounds.map((round) => ratioOf(delays(round.alone.events), delays(round.besideSick.events)));
  const ratio = medianOf(ratios);
  const lines = [
    `${events.length} notifications, ${arrivals.length} arrivals, ${copies} copies of accepted ones`,
    ...(ratio === undefined
      ? []
      : [
          `healthy endpoints alone: ${describeDelays(alone)}`,
          `beside the sick: ${describeDelays(besideSick)}`,
          `p99 beside the sick to that alone: ${ratios.map((one) => one.toFixed(2)).join(", ")}; median ${ratio.toFixed(2)}`,
          `others took ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))} of the machine`,
        ]),
    `while nodes were killed: ${describeDelays(delays(killed))}`,
  ];
  return { summary: lines.join("\n  "), ratio };
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function ratioOf(alone: Delays, besideSick: Delays): number {
  return besideSick.p99Ms / alone.p99Ms;
}
