/**
 * Binds keys of requests to cells, in home (docs/adr/0095-bound-keys.md). Calls of the same turn of the event loop, and those that come
 * while others are bound, share a statement.
 */
import { slicesOf } from "../../basics/slices.ts";

/** A key with the cell that decides about it. */
export interface Binding {
  readonly key: string;
  readonly cell: number;
  /** Business time (epoch ms). */
  readonly boundAt: number;
  /** The cell that it was bound to until then. Absent: it was not. */
  readonly previous?: number;
}

/** Home's table. Each is resolved when what was written and read is confirmed, and fails where home does not answer. */
export interface BindingTable {
  /** Binds those that are free; the number of those that were. */
  bind(wanted: readonly Binding[]): Promise<number>;
  read(keys: readonly string[]): Promise<readonly Binding[]>;
  /** Binds those that are still bound so; the number of those that were. */
  rebind(from: readonly Binding[], to: Omit<Binding, "key">): Promise<number>;
}

export type Bindings = ReadonlyMap<string, Binding>;

/** Undefined is the answer of each while home is away or slow: then nothing may be decided. */
export interface KeyBinder {
  /** The keys, each with the cell that it is bound to by then; without one whose binding was just deleted. */
  bind(wanted: readonly Binding[]): Promise<Bindings | undefined>;
  /** Those of the keys that are bound. */
  read(keys: readonly string[]): Promise<Bindings | undefined>;
  /** False: one of them is bound otherwise by now; others may be bound anew. */
  rebind(from: readonly Binding[], to: Omit<Binding, "key">): Promise<boolean | undefined>;
}

export interface BinderEvents {
  /** A call was answered 503xx00 because of it. */
  unavailable(error: unknown): void;
  /** Keys that were bound, and the time it took (ms). */
  bound(keys: number, ms: number): void;
}

interface Waiting {
  readonly wanted: readonly Binding[];
  /** Monotonic time (ms). */
  readonly since: number;
  isGivenUp: boolean;
  resolve(bound: Bindings): void;
  reject(error: unknown): void;
}

/** Longest wait of a call for home (ms). */
const answerMs = 2_000;
/** Calls that share a statement, and its keys, at most: a bulk has ten thousand. */
const callsMax = 256;
const keysMax = 1_024;
const waitingMax = 8_192;
/** Calls with more keys are bulks, which have a lane of their own: others do not wait for them. */
const fewKeys = 64;
/** Statements under way at once. */
const runningMax = { few: 2, many: 1 };

export function createKeyBinder(table: BindingTable, events: BinderEvents, clock: { monotonic(): number }): KeyBinder {
  const carryOut = async (batch: readonly Waiting[]) => {
    try {
      const all = batch.flatMap(({ wanted }) => wanted);
      const bound = await bindAll(table, all, () => batch.some(({ isGivenUp }) => !isGivenUp));
      for (const one of batch) {
        one.resolve(bound);
        events.bound(one.wanted.length, clock.monotonic() - one.since);
      }
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  };
  const lanes = { few: createLane(runningMax.few, carryOut), many: createLane(runningMax.many, carryOut) };
  const answered = async <Result>(work: Promise<Result>, onLate?: () => void): Promise<Result | undefined> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error("home did not answer in time")), answerMs);
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      onLate?.();
      events.unavailable(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    bind: (wanted) => {
      const { promise, resolve, reject } = Promise.withResolvers<Bindings>();
      const waiting: Waiting = { wanted, since: clock.monotonic(), isGivenUp: false, resolve, reject };
      if (!lanes[wanted.length > fewKeys ? "many" : "few"](waiting)) reject(new Error("too many calls wait for home"));
      return answered(promise, () => (waiting.isGivenUp = true));
    },
    read: (keys) => answered(readAll(table, keys)),
    rebind: (from, to) => answered(rebindAll(table, from, to)),
  };
}

type Lane = (waiting: Waiting) => boolean;

/** Calls in their order; false: too many wait. */
function createLane(most: number, carryOut: (batch: readonly Waiting[]) => Promise<void>): Lane {
  const queue: Waiting[] = [];
  let running = 0;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || running >= most || queue.length === 0) return;
    isScheduled = true;
    setImmediate(start);
  };
  const start = () => {
    isScheduled = false;
    const batch = takeBatch(queue);
    if (batch.length === 0) return;
    running += 1;
    void carryOut(batch).finally(() => {
      running -= 1;
      schedule();
    });
    schedule();
  };
  return (waiting) => {
    if (queue.length >= waitingMax) return false;
    queue.push(waiting);
    schedule();
    return true;
  };
}

/** The first calls of the queue; at least one where there are any that are still waited for. */
function takeBatch(queue: Waiting[]): readonly Waiting[] {
  const batch: Waiting[] = [];
  let keys = 0;
  while (queue.length > 0 && batch.length < callsMax) {
    const [next] = queue as [Waiting];
    if (batch.length > 0 && keys + next.wanted.length > keysMax) break;
    queue.shift();
    if (next.isGivenUp) continue;
    batch.push(next);
    keys += next.wanted.length;
  }
  return batch;
}

/** The first binding counts of a key that is wanted twice. `isWanted`: false once nobody waits for the rest. */
async function bindAll(table: BindingTable, all: readonly Binding[], isWanted: () => boolean): Promise<Bindings> {
  const wanted = new Map<string, Binding>();
  for (const one of all) {
    if (!wanted.has(one.key)) wanted.set(one.key, one);
  }
  const bound = new Map<string, Binding>();
  const list = [...wanted.values()];
  for (const slice of slicesOf(list, keysMax)) {
    if (!isWanted()) break;
    const free = await table.bind(slice);
    // Read by a statement of its own, whose snapshot has what others have bound.
    const found = free === slice.length ? slice : await table.read(slice.map(({ key }) => key));
    for (const one of found) bound.set(one.key, one);
  }
  return bound;
}

async function readAll(table: BindingTable, keys: readonly string[]): Promise<Bindings> {
  const found = new Map<string, Binding>();
  for (const slice of slicesOf(keys, keysMax)) {
    for (const one of await table.read(slice)) found.set(one.key, one);
  }
  return found;
}

async function rebindAll(table: BindingTable, all: readonly Binding[], to: Omit<Binding, "key">): Promise<boolean> {
  for (const slice of slicesOf(all, keysMax)) {
    if ((await table.rebind(slice, to)) < slice.length) return false;
  }
  return true;
}
