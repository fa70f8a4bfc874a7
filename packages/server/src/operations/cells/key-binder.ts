/** Binds keys of requests to cells, in home (docs/adr/0095-bound-keys.md). Calls share statements (gather-calls.ts). */
import { slicesOf } from "../../basics/slices.ts";
import { gatherCalls } from "../gather-calls.ts";

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

/** Undefined is the answer of each while home is away or slow, or too many calls of the partner wait: then nothing may be decided. */
export interface KeyBinder {
  /** The keys, each with the cell that it is bound to by then; without one whose binding was just deleted. Keys of others may be among them. */
  bind(partner: string, wanted: readonly Binding[]): Promise<Bindings | undefined>;
  /** Those of the keys that are bound. Keys of others may be among them. */
  read(partner: string, keys: readonly string[]): Promise<Bindings | undefined>;
  /** False: one of them is bound otherwise by now; others may be bound anew. */
  rebind(partner: string, from: readonly Binding[], to: Omit<Binding, "key">): Promise<boolean | undefined>;
}

export interface BinderEvents {
  /** A call was answered 503xx00 because of it. */
  unavailable(error: unknown): void;
  /** Keys that were bound, and the time it took (ms). */
  bound(keys: number, ms: number): void;
}

interface Rebinding {
  readonly from: readonly Binding[];
  readonly to: Omit<Binding, "key">;
}

/** Keys of a statement at most: a bulk has ten thousand. */
export const keysAtOnce = 1_024;
/** Calls with more keys are bulks: others of their partner do not wait for them. */
const fewKeys = 64;
/** Statements under way at once; keys are bound anew by one for each call, and seldom. */
const running = { bindFew: 2, bindMany: 1, read: 1, rebind: 2 };
/** Connections that the table needs, so that none of these waits for another. */
export const connectionsOfBinder = running.bindFew + running.bindMany + running.read + running.rebind;
const ofHome = { name: "home", itemsMax: keysAtOnce, answerMs: 2_000, waiting: 8_192, waitingOfOnePartner: 4_096 };
/** Fewer of bulks, whose slices have 1,024 keys, and of keys bound anew. */
const ofBulks = { waiting: 512, waitingOfOnePartner: 256 };

export function createKeyBinder(table: BindingTable, events: BinderEvents, clock: { monotonic(): number }): KeyBinder {
  const bind = (wanted: readonly Binding[]) => bindAll(table, wanted);
  const bindFew = gatherCalls({ ...ofHome, running: running.bindFew, carryOut: bind });
  const bindMany = gatherCalls({ ...ofHome, ...ofBulks, running: running.bindMany, carryOut: bind });
  const readAll = async (keys: readonly string[]) => byKey(await table.read([...new Set(keys)]));
  const read = gatherCalls({ ...ofHome, running: running.read, carryOut: readAll });
  const rebindOne = ([one]: readonly Rebinding[]) => rebindAll(table, one as Rebinding);
  const rebind = gatherCalls({ ...ofHome, ...ofBulks, itemsMax: 1, running: running.rebind, carryOut: rebindOne });
  const orUnavailable = (error: unknown) => {
    events.unavailable(error);
    return undefined;
  };
  return {
    bind: async (partner, wanted) => {
      const since = clock.monotonic();
      const bound = await (wanted.length > fewKeys ? bindMany : bindFew)(partner, wanted).catch(orUnavailable);
      if (bound) events.bound(wanted.length, clock.monotonic() - since);
      return bound && joined(bound);
    },
    read: async (partner, keys) => {
      const found = await read(keys.length > fewKeys ? `${partner} bulks` : partner, keys).catch(orUnavailable);
      return found && joined(found);
    },
    rebind: async (partner, from, to) => (await rebind(partner, [{ from, to }]).catch(orUnavailable))?.every(Boolean),
  };
}

/** The first binding counts of a key that is wanted twice. */
async function bindAll(table: BindingTable, all: readonly Binding[]): Promise<Bindings> {
  const wanted = new Map<string, Binding>();
  for (const one of all) {
    if (!wanted.has(one.key)) wanted.set(one.key, one);
  }
  const free = await table.bind([...wanted.values()]);
  // Read by a statement of its own, whose snapshot has what others have bound.
  return free === wanted.size ? wanted : byKey(await table.read([...wanted.keys()]));
}

async function rebindAll(table: BindingTable, { from, to }: Rebinding): Promise<boolean> {
  for (const slice of slicesOf(from, keysAtOnce)) {
    if ((await table.rebind(slice, to)) < slice.length) return false;
  }
  return true;
}

const byKey = (bindings: readonly Binding[]): Bindings => new Map(bindings.map((one) => [one.key, one]));

/** A statement's is as it is: it has up to 1,024 keys, for each of up to 256 calls. */
function joined(all: readonly Bindings[]): Bindings {
  const [first] = all;
  return all.length === 1 && first ? first : new Map(all.flatMap((one) => [...one]));
}
