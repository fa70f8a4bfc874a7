/**
 * Binds keys of requests to cells, in home (docs/adr/0095-bound-keys.md). Calls of the same turn of the event loop, and those that come
 * while others are bound, share a statement.
 */

/** A key with the cell that decides about it. */
export interface Binding {
  readonly key: string;
  readonly cell: number;
  /** Business time (epoch ms). */
  readonly boundAt: number;
}

/** Home's table. Each is resolved when what was written and read is confirmed, and fails where home does not answer. */
export interface BindingTable {
  /** Binds those that are free; the number of those that were. */
  bind(wanted: readonly Binding[]): Promise<number>;
  read(keys: readonly string[]): Promise<readonly Binding[]>;
  /** False: it is bound otherwise by now. */
  rebind(from: Binding, to: Omit<Binding, "key">): Promise<boolean>;
}

export type Bindings = ReadonlyMap<string, Binding>;

/** Undefined is the answer of each while home is away or slow: then nothing may be decided. */
export interface KeyBinder {
  /** The keys, each with the cell that it is bound to by then; without one whose binding was just deleted. */
  bind(wanted: readonly Binding[]): Promise<Bindings | undefined>;
  /** Those of the keys that are bound. */
  read(keys: readonly string[]): Promise<Bindings | undefined>;
  rebind(from: Binding, to: Omit<Binding, "key">): Promise<boolean | undefined>;
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
/** Statements under way at once. */
const runningMax = 2;

export function createKeyBinder(table: BindingTable, events: BinderEvents, clock: { monotonic(): number }): KeyBinder {
  const queue: Waiting[] = [];
  let running = 0;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || running >= runningMax || queue.length === 0) return;
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
  const carryOut = async (batch: readonly Waiting[]) => {
    try {
      const bound = await bindAll(
        table,
        batch.flatMap(({ wanted }) => wanted),
      );
      for (const one of batch) {
        one.resolve(bound);
        events.bound(one.wanted.length, clock.monotonic() - one.since);
      }
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  };
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
      if (queue.length < waitingMax) queue.push(waiting);
      else reject(new Error("too many calls wait for home"));
      schedule();
      return answered(promise, () => (waiting.isGivenUp = true));
    },
    read: (keys) => answered(table.read(keys).then(byKey)),
    rebind: (from, to) => answered(table.rebind(from, to)),
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

/** The first binding counts of a key that is wanted twice. */
async function bindAll(table: BindingTable, all: readonly Binding[]): Promise<Bindings> {
  const wanted = new Map<string, Binding>();
  for (const one of all) {
    if (!wanted.has(one.key)) wanted.set(one.key, one);
  }
  const bound = new Map<string, Binding>();
  const list = [...wanted.values()];
  for (let from = 0; from < list.length; from += keysMax) {
    const slice = list.slice(from, from + keysMax);
    const free = await table.bind(slice);
    // Read by a statement of its own, whose snapshot has what others have bound.
    const found = free === slice.length ? slice : await table.read(slice.map(({ key }) => key));
    for (const one of found) bound.set(one.key, one);
  }
  return bound;
}

const byKey = (found: readonly Binding[]): Bindings => new Map(found.map((one) => [one.key, one]));
