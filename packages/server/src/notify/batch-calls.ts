/** Work on single items that is done for many at once: what is asked for while a batch is under way makes the next one. */
import { setTimeout as sleep } from "node:timers/promises";

export interface BatchesOptions<Item, Result> {
  readonly sizeMax: number;
  /** Time that a batch is waited for (ms): fewer of more items. Absent: not at all. */
  readonly pauseMs?: number;
  /** Results in the order of the items. When it fails, all of them fail. */
  work(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Asked<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** One batch at a time. */
export function createBatches<Item, Result>(options: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { sizeMax, pauseMs = 0 } = options;
  const asked: Asked<Item, Result>[] = [];
  let isRunning = false;
  const runAll = async () => {
    while (asked.length > 0) {
      // Requests of this turn of the event loop belong to the batch.
      await (pauseMs > 0 && asked.length < sizeMax ? sleep(pauseMs) : Promise.resolve());
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
  { work }: BatchesOptions<Item, Result>,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    // As many as items: the work says so.
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
