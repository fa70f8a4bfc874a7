/** Summary of a run: delays and copies. */
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
  /** Part of the machine that others took meanwhile, from 0 to 1. */
  readonly othersShare: number;
}

/** The same events twice. */
export interface Windows {
  readonly alone: Window;
  readonly besideSick: Window;
}

export interface Round extends Windows {
  /** The larger of the two windows. */
  readonly othersShare: number;
  /** True: others took so little that the round counts. */
  readonly isQuiet: boolean;
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
  const compared = rounds.map((round) => {
    const [alone, besideSick] = [delays(round.alone.events), delays(round.besideSick.events)];
    return { ...round, alone, besideSick, ratio: besideSick.p99Ms / alone.p99Ms };
  });
  const quiet = rounds.filter(({ isQuiet }) => isQuiet);
  const ratio = medianOf(compared.flatMap((round) => (round.isQuiet ? [round.ratio] : [])));
  const all = (which: keyof Windows) => describeDelays(delays(quiet.flatMap((round) => round[which].events)));
  const lines = [
    `${events.length} notifications, ${arrivals.length} arrivals, ${copies} copies of accepted ones`,
    ...compared.map(describeRound),
    ...(ratio === undefined
      ? []
      : [
          `healthy endpoints alone: ${all("alone")}`,
          `beside the sick: ${all("besideSick")}`,
          `p99 beside the sick to that alone, median of ${quiet.length} rounds: ${ratio.toFixed(2)}`,
        ]),
    `while nodes were killed: ${describeDelays(delays(killed))}`,
  ];
  return { summary: lines.join("\n  "), ratio };
}

interface Compared extends Pick<Round, "othersShare" | "isQuiet"> {
  readonly alone: Delays;
  readonly besideSick: Delays;
  readonly ratio: number;
}

function describeRound({ alone, besideSick, ratio, othersShare, isQuiet }: Compared, index: number): string {
  const p99 = `p99 ${alone.p99Ms} ms alone, ${besideSick.p99Ms} ms beside the sick: ${ratio.toFixed(2)}`;
  const others = `others took ${Math.round(othersShare * 100)} %`;
  return `round ${index + 1}: ${p99}; ${others}${isQuiet ? "" : ", left out"}`;
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
