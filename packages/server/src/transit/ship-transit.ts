/**
 * Ships payments between two cells: each entry of the payer's cell's transit account is mirrored in the payee's (docs/adr/0094).
 * Every node runs one for each pair of cells; any number of them at once is harmless, as is the end of any of them on any line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  CellAway,
  createTransitStream,
  findMirrored,
  findSent,
  type StreamDeps,
  type TransitStream,
} from "./transit-stream.ts";

export interface TransitBehind {
  /** Entries that are not mirrored yet. */
  readonly entries: number;
  /** Age of the oldest of them, in seconds of business time. */
  readonly seconds: number;
}

export interface TransitShipper {
  /** Something in that currency was committed that is to be shipped. */
  poke(currency: string): void;
  /** Entries that are not mirrored, as far as this node knows; undefined: the payee's cell was never reached. */
  behind(): TransitBehind | undefined;
  /** True: the two cells do not agree, and nothing is shipped in that currency until an operator has repaired it. */
  isStopped(currency: string): boolean;
  /**
   * Has the entry of that version shipped now. Resolves with true once it is mirrored, with false when it is not in time: by default as
   * long as a caller waits for money to arrive.
   */
  waitForMirror(entry: { readonly currency: string; readonly version: number }, ms?: number): Promise<boolean>;
  /** Stops behind the page under way. */
  close(): Promise<void>;
}

export interface ShipTransitDeps extends StreamDeps {
  /** Currencies that the ledger may have: each in which something was sent has a stream. */
  readonly currencies: readonly string[];
  /** False: nothing is shipped now, as while a restored database is compared. Absent: always. */
  readonly mayShip?: () => boolean;
}

/** Pauses (ms): while nothing is known to be behind, while a caller waits for it, and while a database is away. */
const pauseMs = { level: 1_000, behind: 20, away: 250 };

/** Longest wait of a caller for money to arrive in the other cell (ms). */
const arrivalMs = 500;

interface Waiter {
  readonly currency: string;
  readonly version: number;
  readonly resolve: (isMirrored: boolean) => void;
}

export function startTransitShipper(deps: ShipTransitDeps): TransitShipper {
  const { clock, mayShip = () => true } = deps;
  const streams = createStreams(deps);
  const waiters = createWaiters(streams);
  const outage = createOutage(deps);
  const stopping = new AbortController();
  const signal = createSignal();

  const run = async () => {
    while (!stopping.signal.aborted) {
      if (!mayShip()) {
        streams.doubt();
        await sleep(pauseMs.level, undefined, { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      const state = await shipRound(streams, outage, waiters);
      if (state === "level" && !signal.isRaised()) {
        await signal.wait(waiters.isAny() ? pauseMs.behind : pauseMs.level);
        // Nobody said that something was committed: others may have shipped, or an older copy of a database be in its place.
        if (!signal.isRaised()) streams.doubt();
      }
      if (state === "away") {
        streams.doubt();
        await sleep(pauseMs.away, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      signal.lower();
    }
  };
  const running = run();

  return {
    poke: (currency) => {
      streams.open(currency);
      signal.raise();
    },
    behind: () => {
      if (!outage.wasReached()) return undefined;
      const entries = streams.all().reduce((sum, stream) => sum + stream.entries, 0);
      const ages = streams.all().flatMap(({ oldestAt }) => (oldestAt === undefined ? [] : [clock.now() - oldestAt]));
      return { entries, seconds: entries === 0 ? 0 : Math.max(0, ...ages) / 1_000 };
    },
    isStopped: (currency) => streams.all().some((stream) => stream.currency === currency && stream.isStopped),
    waitForMirror: (entry, ms = arrivalMs) => {
      streams.open(entry.currency);
      const waiting = waiters.add(entry, ms);
      signal.raise();
      return waiting;
    },
    close: async () => {
      stopping.abort();
      signal.raise();
      await running;
      waiters.giveUp();
    },
  };
}

/** A page of each stream. */
async function shipRound(
  streams: Streams,
  outage: ReturnType<typeof createOutage>,
  waiters: ReturnType<typeof createWaiters>,
): Promise<"level" | "behind" | "away"> {
  let isLevel = true;
  try {
    await streams.discover();
    for (const stream of streams.all()) {
      isLevel = (await stream.ship(waiters.wanted(stream.currency))) && isLevel;
      waiters.answer();
    }
    outage.over();
    return isLevel ? "level" : "behind";
  } catch (error) {
    // The metric must not stand still meanwhile.
    if (outage.failed(error) === "payee")
      for (const stream of streams.all()) await stream.look().catch(() => undefined);
    return "away";
  }
}

type Streams = ReturnType<typeof createStreams>;

/** A stream for each currency in which something was sent: in most cells one of a hundred and fifty. */
function createStreams(deps: ShipTransitDeps) {
  const { from, to, currencies } = deps;
  const known = new Map<string, TransitStream>();
  let isDiscovered = false;
  const open = (currency: string) => {
    if (!known.has(currency))
      known.set(currency, createTransitStream(deps, { from: from.cell, to: to.cell, currency }));
  };
  return {
    open,
    all: () => [...known.values()],
    /** Has the mirrors read before the next page, and currencies that another node began. */
    doubt: () => {
      isDiscovered = false;
      for (const stream of known.values()) stream.doubt();
    },
    /** @throws CellAway */
    discover: async () => {
      if (isDiscovered) return;
      const unknown = currencies.filter((currency) => !known.has(currency));
      for (const currency of await findSent(deps, unknown)) open(currency);
      for (const currency of await findMirrored(deps, unknown)) open(currency);
      isDiscovered = true;
    },
  };
}

/** Callers who wait for an entry to be mirrored. */
function createWaiters(streams: Streams) {
  const waiters = new Set<Waiter>();
  const answer = () => {
    for (const { currency, mirrored = 0 } of streams.all()) {
      for (const waiter of waiters)
        if (waiter.version <= mirrored && waiter.currency === currency) waiter.resolve(true);
    }
  };
  return {
    answer,
    isAny: () => waiters.size > 0,
    /** The last entry that somebody waits for; 0: nobody does. */
    wanted: (of: string) =>
      [...waiters].reduce((last, { currency, version }) => (currency === of ? Math.max(last, version) : last), 0),
    add: (entry: Pick<Waiter, "currency" | "version">, ms: number) =>
      new Promise<boolean>((resolve) => {
        const end = (isMirrored: boolean) => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(isMirrored);
        };
        const waiter = { ...entry, resolve: end };
        const timer = setTimeout(() => end(false), ms);
        waiters.add(waiter);
        answer();
      }),
    giveUp: () => {
      for (const waiter of waiters) waiter.resolve(false);
    },
  };
}

/** Tells each outage of a cell once. */
function createOutage({ events, to }: ShipTransitDeps) {
  const away = new Set<number>();
  let isReached = false;
  return {
    /** Answers whose cell it is. */
    failed: (error: unknown): "payer" | "payee" => {
      const { cell, cause } = error instanceof CellAway ? error : { cell: to.cell, cause: error };
      if (!away.has(cell)) events.away(cell, cause);
      away.add(cell);
      return cell === to.cell ? "payee" : "payer";
    },
    over: () => {
      isReached = true;
      for (const cell of away) events.back(cell);
      away.clear();
    },
    wasReached: () => isReached,
  };
}

/** Wakes the one loop that waits. */
function createSignal() {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise: () => {
      raised = true;
      wake?.();
    },
    lower: () => {
      raised = false;
    },
    isRaised: () => raised,
    wait: (ms: number) =>
      raised
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            timer.unref();
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          }),
  };
}
