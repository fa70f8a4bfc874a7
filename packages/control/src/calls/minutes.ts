/** Counts of calls by minute, for the last hour. Counting a call takes about a microsecond. */
import type { ObservedCall } from "@titian/server";
import { writeAmount } from "../money-text.ts";
import type { CountView, MinuteView } from "./call-views.ts";
import { movedAmount } from "./moved-amount.ts";
import { isoTime } from "./iso-time.ts";

export interface Minutes {
  count(call: ObservedCall): void;
  /** The last hour at this time (epoch ms), oldest first. */
  list(now: number): readonly MinuteView[];
}

interface Counts {
  calls: number;
  refused: number;
  rejected: number;
  /** Minor units by currency. */
  readonly amounts: Map<string, bigint>;
}

interface Minute extends Counts {
  readonly number: number;
  readonly latencies: Latencies;
  readonly operations: Map<string, Counts>;
}

const minuteMs = 60_000;
const kept = 60;

export function createMinutes(): Minutes {
  const minutes = new Map<number, Minute>();

  /** Minute of a call; none for calls that took so long that their hour is over. */
  function minuteOf(at: number): Minute | undefined {
    const number = Math.floor(at / minuteMs);
    const known = minutes.get(number % kept);
    if (known !== undefined && known.number >= number) return known.number === number ? known : undefined;
    const minute = { number, latencies: createLatencies(), operations: new Map<string, Counts>(), ...newCounts() };
    minutes.set(number % kept, minute);
    return minute;
  }

  return {
    count(call) {
      const minute = minuteOf(call.at);
      if (minute === undefined) return;
      const name = call.operation ?? "unknownPath";
      let operation = minute.operations.get(name);
      if (operation === undefined) {
        operation = newCounts();
        minute.operations.set(name, operation);
      }
      minute.latencies.add(call.durationMs);
      add(minute, call);
      add(operation, call);
      const moved = movedAmount(call);
      if (moved === undefined) return;
      for (const { amounts } of [minute, operation]) {
        amounts.set(moved.currency, (amounts.get(moved.currency) ?? 0n) + moved.amount);
      }
    },
    list(now) {
      const last = Math.floor(now / minuteMs);
      return Array.from({ length: kept }, (_, index) => {
        const number = last - kept + 1 + index;
        const minute = minutes.get(number % kept);
        return show(number, minute?.number === number ? minute : undefined);
      });
    },
  };
}

const newCounts = (): Counts => ({ calls: 0, refused: 0, rejected: 0, amounts: new Map() });

function add(counts: Counts, { rejectedAt, rejection }: ObservedCall): void {
  counts.calls += 1;
  if (rejectedAt !== undefined) counts.refused += 1;
  else if (rejection !== undefined) counts.rejected += 1;
}

function show(number: number, minute: Minute | undefined): MinuteView {
  const operations = [...(minute?.operations ?? [])].map(([name, counts]) => [name, showCounts(counts)] as const);
  return {
    minute: isoTime(number * minuteMs),
    ...showCounts(minute ?? newCounts()),
    p50Ms: roundMs(minute?.latencies.percentile(0.5)),
    p99Ms: roundMs(minute?.latencies.percentile(0.99)),
    operations: Object.fromEntries(operations),
  };
}

function showCounts({ calls, refused, rejected, amounts }: Counts): CountView {
  const texts = [...amounts].map(([currency, amount]) => [currency, writeAmount(amount, currency)] as const);
  return { calls, refused, rejected, amounts: Object.fromEntries(texts) };
}

function roundMs(ms: number | undefined): number | null {
  return ms === undefined ? null : Number(ms.toPrecision(3));
}

/** Durations by size, for percentiles within 5 %: so many buckets to the double. */
const perDouble = 8;
const smallestMs = 0.05;
/** Up to about ten minutes. */
const bucketCount = 24 * perDouble;

interface Latencies {
  add(ms: number): void;
  /** The duration that this share of them do not exceed (0 to 1); undefined when there are none. */
  percentile(share: number): number | undefined;
}

/** Adding one allocates nothing. */
function createLatencies(): Latencies {
  const counts = new Uint32Array(bucketCount);
  let total = 0;
  return {
    add(ms) {
      const bucket = Math.ceil(Math.log2(Math.max(ms, smallestMs) / smallestMs) * perDouble);
      const at = Math.min(bucket, bucketCount - 1);
      counts[at] = (counts[at] ?? 0) + 1;
      total += 1;
    },
    percentile(share) {
      let left = Math.max(1, Math.ceil(total * share));
      for (const [bucket, count] of counts.entries()) {
        left -= count;
        // The middle of the bucket.
        if (total > 0 && left <= 0) return smallestMs * 2 ** ((bucket - 0.5) / perDouble);
      }
      return undefined;
    },
  };
}
