/**
 * Hands recorded calls to those who follow them, a few times a second and not while a call is answered: streams, the
 * terminal. Of each second a follower gets so many, and the number of those left out.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallRecord, RecordedCall } from "./record-calls.ts";

export interface CallFilter {
  readonly partnerId?: string | undefined;
  readonly isRefused?: boolean | undefined;
  readonly operation?: string | undefined;
}

export interface Follower {
  readonly filter: CallFilter;
  /** The sequence after which it begins. All that is there already is handed over at once. */
  readonly after: number;
  /** Calls handed over in a second at most. */
  readonly perSecond: number;
  /** Oldest first. */
  onCalls(calls: readonly RecordedCall[]): void;
  /** Calls of the last second that were left out, and those of all partners that were not recorded. */
  onSkipped(calls: number, unrecorded: number): void;
}

export interface CallFeed {
  /** Returns what ends it. */
  follow(follower: Follower): () => void;
}

const everyMs = 100;
const ticksPerSecond = 1_000 / everyMs;

export function createCallFeed(record: CallRecord): CallFeed {
  const ticks = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isHandingOver = false;

  /** To one follower in a turn of the event loop: calls have theirs between fifty consoles. */
  async function handOver(): Promise<void> {
    if (isHandingOver) return;
    isHandingOver = true;
    try {
      for (const tick of ticks) {
        tick();
        await nextTurn();
      }
    } finally {
      isHandingOver = false;
    }
  }

  function stop(tick: () => void): void {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    follow(follower) {
      const tick = createTick(record, follower);
      // Calls that are there already come first.
      tick();
      ticks.add(tick);
      timer ??= setInterval(() => void handOver(), everyMs).unref();
      return () => stop(tick);
    },
  };
}

function createTick(record: CallRecord, { filter, after, perSecond, onCalls, onSkipped }: Follower): () => void {
  let last = after;
  let unrecorded = record.unrecorded();
  let ticked = 0;
  let left = Number.POSITIVE_INFINITY;
  let skipped = 0;

  function endSecond(): void {
    const missing = record.unrecorded() - unrecorded;
    if (skipped > 0 || missing > 0) onSkipped(skipped, missing);
    unrecorded += missing;
    skipped = 0;
    left = perSecond;
  }

  return () => {
    const found = newerThan(record, last).filter((call) => matches(call, filter));
    last = record.lastSequence();
    const shown = found.slice(0, left);
    skipped += found.length - shown.length;
    // The first time all that is there already.
    left = ticked === 0 ? perSecond : left - shown.length;
    if (shown.length > 0) onCalls(shown);
    ticked += 1;
    if (ticked % ticksPerSecond === 0) endSecond();
  };
}

/** Oldest first. */
function newerThan(record: CallRecord, sequence: number): RecordedCall[] {
  const found: RecordedCall[] = [];
  if (record.lastSequence() === sequence) return found;
  for (const call of record.all()) {
    if (call.sequence <= sequence) break;
    found.push(call);
  }
  return found.reverse();
}

export function matches(call: RecordedCall, { partnerId, isRefused, operation }: CallFilter): boolean {
  if (partnerId !== undefined && call.partnerId !== partnerId) return false;
  if (isRefused !== undefined && (call.rejectedAt !== undefined) !== isRefused) return false;
  return operation === undefined || call.operation === operation;
}
