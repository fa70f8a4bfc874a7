/**
 * Calls that wait for a database share its statements: those of one turn of the event loop, and those that come while others are under way.
 * Partners take turns, calls are bounded in number, and no statement has items that no caller waits for any more.
 */
import { slicesOf } from "../basics/slices.ts";
import { createFairQueue, type FairQueue } from "../engine/queue/fair-queue.ts";

export interface GatherOptions<Item, Result> {
  /** Name in errors: calls wait for it. */
  readonly name: string;
  /** Statements under way at once. */
  readonly running: number;
  /** Items of a statement at most: a call with more is so many slices, each with a turn of its own. */
  readonly itemsMax: number;
  /** Slices that wait at most, of all partners and of one. */
  readonly waiting: number;
  readonly waitingOfOnePartner: number;
  /** Longest wait of a call (ms). */
  readonly answerMs: number;
  carryOut(items: readonly Item[]): Promise<Result>;
}

/**
 * The results of the statements that have the call's items, among others', one for each of its slices in order. Fails where a statement
 * fails or too many calls wait, and after `answerMs`.
 */
export type GatherCall<Item, Result> = (partner: string, items: readonly Item[]) => Promise<readonly Result[]>;

interface Slice<Item, Result> {
  readonly partner: string;
  readonly items: readonly Item[];
  /** Over: its caller has got an error. */
  readonly call: { isOver: boolean };
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Slices that share a statement at most. */
const slicesMax = 256;

export function gatherCalls<Item, Result>(options: GatherOptions<Item, Result>): GatherCall<Item, Result> {
  const { name, itemsMax, answerMs } = options;
  const turnAway = ({ reject }: Slice<Item, Result>) => reject(new Error(`too many calls wait for ${name}`));
  const queue = createFairQueue<Slice<Item, Result>>({
    limit: options.waiting,
    limitOfOne: options.waitingOfOnePartner,
    ownerOf: ({ partner }) => partner,
    onTurnedAway: turnAway,
  });
  let mayHaveOver = false;
  const dropOver = () => {
    if (mayHaveOver) queue.drop(({ call }) => call.isOver);
    mayHaveOver = false;
  };
  let running = 0;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || running >= options.running || queue.waiting() === 0) return;
    isScheduled = true;
    setImmediate(start);
  };
  const start = () => {
    isScheduled = false;
    dropOver();
    const batch = takeBatch(queue, itemsMax);
    if (batch.length === 0) return;
    running += 1;
    void carryOut(batch, options).finally(() => {
      running -= 1;
      schedule();
    });
    schedule();
  };
  const offer = (slice: Slice<Item, Result>) => {
    if (!queue.hasCapacity(slice.partner)) dropOver();
    if (queue.offer(slice)) schedule();
    else turnAway(slice);
  };
  return async (partner, items) => {
    const call = { isOver: false };
    const { promise: late, reject: giveUp } = Promise.withResolvers<never>();
    const timer = setTimeout(() => giveUp(new Error(`${name} did not answer in time`)), answerMs);
    const results = Array.from(slicesOf(items, itemsMax), (slice) => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      offer({ partner, items: slice, call, resolve, reject });
      return promise;
    });
    try {
      return await Promise.race([Promise.all(results), late]);
    } catch (error) {
      call.isOver = true;
      mayHaveOver = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The next slices, in turns of their partners. */
function takeBatch<Item, Result>(queue: FairQueue<Slice<Item, Result>>, itemsMax: number) {
  const batch: Slice<Item, Result>[] = [];
  let count = 0;
  while (batch.length < slicesMax) {
    const next = queue.dequeue(({ items }) => count + items.length <= itemsMax);
    if (!next) break;
    batch.push(next);
    count += next.items.length;
  }
  return batch;
}

async function carryOut<Item, Result>(
  batch: readonly Slice<Item, Result>[],
  options: Pick<GatherOptions<Item, Result>, "carryOut">,
): Promise<void> {
  try {
    const result = await options.carryOut(batch.flatMap(({ items }) => items));
    for (const { resolve } of batch) resolve(result);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
