/** Work that a node claims in pages, so that no other node does it meanwhile, and does concurrently up to a limit. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, type Moment, momentOf } from "../basics/clock.ts";
import type { MayGoOn } from "../jobs/job.ts";
import type { RailCalls } from "./bounded-calls.ts";

export interface ClaimedWorkOptions<Item> {
  readonly clock: Pick<Clock, "real" | "now" | "monotonic">;
  readonly calls: Pick<RailCalls, "stopped">;
  readonly concurrencyMax: number;
  /** Claims at most `limit` items that are due at `now` (business time, epoch ms), which is the moment `at`. */
  claim(limit: number, now: number, at: Moment): Promise<readonly Item[]>;
  /** They were claimed while the node stopped. */
  release(items: readonly Item[]): Promise<void>;
  work(item: Item): Promise<void>;
  idOf(item: Item): string;
  onFailure(id: string, error: unknown): void;
}

export interface ClaimedWork {
  /** Works until nothing can be claimed and nothing is under way, as `Job.run` says; returns how many items it began. */
  run(mayGoOn: MayGoOn): Promise<number>;
  /** Ids of items that are being worked on. */
  underWay(): readonly string[];
  /** Waits until a run that is under way has ended and its items are done. */
  settled(): Promise<void>;
}

/** The longest pause before the next claim. */
const pauseMs = 100;

export function createClaimedWork<Item>(options: ClaimedWorkOptions<Item>): ClaimedWork {
  const { clock, calls, concurrencyMax, idOf } = options;
  const underWay = new Map<string, Promise<void>>();
  let running: Promise<unknown> = Promise.resolve();
  /** Wakes the run that waits. */
  let onEnded = () => {};
  /** Count of all runs. */
  let count = 0;

  const begin = (item: Item) => {
    const id = idOf(item);
    // Claimed again while this node still works on it.
    if (underWay.has(id)) return;
    count += 1;
    const ended = options
      .work(item)
      .catch((error: unknown) => options.onFailure(id, error))
      .finally(() => {
        underWay.delete(id);
        onEnded();
      });
    underWay.set(id, ended);
  };
  /** Claims; true when there may be more. */
  const claim = async (mayGoOn: MayGoOn): Promise<boolean> => {
    // Read before the clock is checked: a jump behind the check makes nothing due. The moment is read first: an instruction
    // must not be valid for longer than what is recorded says.
    const at = momentOf(clock);
    const now = clock.now();
    if (calls.stopped || !(await mayGoOn())) return false;
    const capacity = concurrencyMax - underWay.size;
    if (capacity <= 0) return true;
    const items = await options.claim(capacity, now, at);
    if (calls.stopped) await options.release(items);
    else items.forEach(begin);
    return items.length === capacity;
  };
  const atMostUnderWay = (max: number) =>
    new Promise<void>((resolve) => {
      onEnded = () => {
        if (underWay.size <= max) resolve();
      };
      onEnded();
    });
  const runOnce = async (mayGoOn: MayGoOn) => {
    const before = count;
    for (let more = true; more || underWay.size > 0; ) {
      more = await claim(mayGoOn);
      // The next page is claimed while the rest of this one is done.
      await Promise.race([atMostUnderWay(more ? concurrencyMax / 2 : 0), sleep(pauseMs)]);
    }
    return count - before;
  };
  return {
    run: (mayGoOn) => {
      const run = runOnce(mayGoOn);
      running = run.catch(() => undefined);
      return run;
    },
    underWay: () => [...underWay.keys()],
    settled: async () => {
      await running;
      // A run that failed has left them behind.
      await Promise.all(underWay.values());
    },
  };
}
