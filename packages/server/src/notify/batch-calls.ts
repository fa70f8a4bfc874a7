/** Work on single items that is done for many at once: what is asked for while a batch is under way makes the next one. */
import { setTimeout as sleep } from "node:timers/promises";

export interface BatchesOptions<Item, Result> {
  readonly sizeMax: number;
  /** Time that a batch is waited for (ms): fewer of more items. Absent: not at all. */
  readonly pauseMs?: number;
  /** False: no more items are to be expected now, so that none is waited for. Absent: they are. */
  readonly expectsMore?: () => boolean;
  /** Results in the order of the items. When it fails, all of them fail. */
  work(items: readonly Item[]): Promise<readonly Result[]>;
  /** True: one item may have made the batch fail, so that each is tried by itself. Absent: none does. */
  readonly mayBeOfOneItem?: (error: unknown) => boolean;
}

interface Asked<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** One batch at a time. */
export function createBatches<Item, Result>(options: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { sizeMax, pauseMs = 0, expectsMore = () => true } = options;
  const asked: Asked<Item, Result>[] = [];
  let isRunning = false;
  const runAll = async () => {
    while (asked.length > 0) {
      // Requests of this turn of the event loop belong to the batch.
      const waits = pauseMs > 0 && asked.length < sizeMax && expectsMore();
      await (waits ? sleep(pauseMs) : Promise.resolve());
      await runBatch(asked.splice(0, sizeMax), options);
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      asked.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void runAll();
    });
}

async function runBatch<Item, Result>(
  batch: readonly Asked<Item, Result>[],
  options: BatchesOptions<Item, Result>,
): Promise<void> {
  const failed = await tryBatch(batch, options);
  if (!failed) return;
  if (batch.length > 1 && options.mayBeOfOneItem?.(failed.error)) return runEach(batch, options);
  rejectAll(batch, failed.error);
}

/** So many that fail by themselves: it was not for one item's sake, and the rest is not tried. */
const failuresMax = 4;

async function runEach<Item, Result>(
  batch: readonly Asked<Item, Result>[],
  options: BatchesOptions<Item, Result>,
): Promise<void> {
  let failures = 0;
  for (const [index, one] of batch.entries()) {
    const failed = await tryBatch([one], options);
    if (!failed) continue;
    failures += 1;
    const isLast = failures === failuresMax || !options.mayBeOfOneItem?.(failed.error);
    rejectAll(isLast ? batch.slice(index) : [one], failed.error);
    if (isLast) return;
  }
}

async function tryBatch<Item, Result>(
  batch: readonly Asked<Item, Result>[],
  { work }: BatchesOptions<Item, Result>,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const results = await work(batch.map(({ item }) => item));
    // As many as items: the work says so.
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    return undefined;
  } catch (error) {
    return { error };
  }
}

function rejectAll<Item, Result>(batch: readonly Asked<Item, Result>[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}
