/**
 * Ships payments between two cells: each entry of the payer's cell's transit account is mirrored in the payee's (docs/adr/0094).
 * Every node runs one for each pair of cells; any number of them at once is harmless, as is the end of any of them on any line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inTime } from "../basics/in-time.ts";
import { createSignal, type Signal } from "../engine/queue/signal.ts";
import { CellAway } from "./cell-away.ts";
import { createTransitStream, findMirrored, findSent, type StreamDeps, type TransitStream } from "./transit-stream.ts";

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

/** A page keeps the other currencies of the pair waiting for so long at most, such as one whose payee's row is locked (ms). */
const turnMs = 250;

export function startTransitShipper(deps: ShipTransitDeps): TransitShipper {
  const { clock, mayShip = () => true } = deps;
  const stopping = new AbortController();
  const outage = createOutage(deps);
  const takeTurn = createTurns();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const run = async (stream: TransitStream, signal: Signal) => {
    while (!stopping.signal.aborted) {
      if (!mayShip()) {
        stream.doubt();
        await pause(pauseMs.level);
        continue;
      }
      const state = await takeTurn(async () =>
        stopping.signal.aborted ? "behind" : shipPage(stream, outage, waiters),
      );
      if (state === "level" && !signal.isRaised()) {
        await signal.wait(waiters.wanted(stream.currency) > 0 ? pauseMs.behind : pauseMs.level);
        // Nobody said that something was committed: others may have shipped, or an older copy of a database be in its place.
        if (!signal.isRaised()) stream.doubt();
      }
      if (state === "away") {
        stream.doubt();
        await pause(pauseMs.away);
      }
      signal.lower();
    }
  };
  const streams = createStreams(deps, run);
  const waiters = createWaiters(streams);
  let wasDiscovered = false;
  /** Currencies that another node began, or that were shipped before this one started. */
  const discover = async () => {
    while (!stopping.signal.aborted) {
      const isFound = mayShip() ? await discoverOnce(deps, streams, outage) : false;
      wasDiscovered ||= isFound;
      await pause(isFound || !mayShip() ? pauseMs.level : pauseMs.away);
    }
  };
  const discovering = discover();
  let wasReached = false;

  return {
    poke: (currency) => streams.open(currency).raise(),
    behind: () => {
      wasReached ||= wasDiscovered && streams.all().every(({ isKnown }) => isKnown);
      if (!wasReached) return undefined;
      const entries = streams.all().reduce((sum, stream) => sum + stream.entries, 0);
      const ages = streams.all().flatMap(({ oldestAt }) => (oldestAt === undefined ? [] : [clock.now() - oldestAt]));
      return { entries, seconds: entries === 0 ? 0 : Math.max(0, ...ages) / 1_000 };
    },
    isStopped: (currency) => streams.all().some((stream) => stream.currency === currency && stream.isStopped),
    waitForMirror: (entry, ms = arrivalMs) => {
      const signal = streams.open(entry.currency);
      const waiting = waiters.add(entry, ms);
      signal.raise();
      return waiting;
    },
    close: async () => {
      stopping.abort();
      await Promise.all([discovering, streams.close()]);
      waiters.giveUp();
    },
  };
}

/** A page of a stream. One that fails keeps no other currency waiting. */
async function shipPage(
  stream: TransitStream,
  outage: Outage,
  waiters: ReturnType<typeof createWaiters>,
): Promise<"level" | "behind" | "away"> {
  try {
    const isLevel = await stream.ship(waiters.wanted(stream.currency));
    waiters.answer();
    outage.over(stream.currency);
    return isLevel ? "level" : "behind";
  } catch (error) {
    // The metric must not stand still meanwhile.
    if (outage.failed(stream.currency, error) === "payee") await stream.look().catch(() => undefined);
    return "away";
  }
}

/** Opens a stream for each currency in which something was sent. */
async function discoverOnce(deps: ShipTransitDeps, streams: Streams, outage: Outage): Promise<boolean> {
  const unknown = deps.currencies.filter((currency) => !streams.has(currency));
  try {
    for (const currency of await findSent(deps, unknown)) streams.open(currency);
    for (const currency of await findMirrored(deps, unknown)) streams.open(currency);
    outage.over(discovery);
    return true;
  } catch (error) {
    outage.failed(discovery, error);
    return false;
  }
}

/** One currency after the other, so that a pair has one page in the payee's engine; one that takes long keeps its place no longer. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = last;
    const done = before.then(work);
    const end = async () => {
      await before;
      await inTime(done, turnMs);
    };
    last = end();
    return done;
  };
}

type Streams = ReturnType<typeof createStreams>;

/** A stream for each currency in which something was sent: in most cells one of a hundred and fifty. */
function createStreams(deps: ShipTransitDeps, run: (stream: TransitStream, signal: Signal) => Promise<void>) {
  const { from, to } = deps;
  const known = new Map<string, { readonly stream: TransitStream; readonly signal: Signal }>();
  const running: Promise<void>[] = [];
  return {
    all: () => [...known.values()].map(({ stream }) => stream),
    has: (currency: string) => known.has(currency),
    /** Answers what wakes it. */
    open: (currency: string): Signal => {
      const before = known.get(currency);
      if (before) return before.signal;
      const one = {
        stream: createTransitStream(deps, { from: from.cell, to: to.cell, currency }),
        signal: createSignal(),
      };
      known.set(currency, one);
      running.push(run(one.stream, one.signal));
      return one.signal;
    },
    close: async () => {
      for (const { signal } of known.values()) signal.raise();
      await Promise.all(running);
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

type Outage = ReturnType<typeof createOutage>;

/** Waits for a cell beside the currencies. */
const discovery = "discovery";

/** Tells each outage of a cell once, however many currencies wait for it. */
function createOutage({ events, to }: ShipTransitDeps) {
  /** Cells that are away, by what waits for them. */
  const waiting = new Map<string, Set<number>>();
  const isAway = (cell: number) => [...waiting.values()].some((cells) => cells.has(cell));
  return {
    /** Answers whose cell it is. */
    failed: (of: string, error: unknown): "payee" | "other" => {
      const { cell, cause } = error instanceof CellAway ? error : { cell: to.cell, cause: error };
      if (!isAway(cell)) events.away(cell, cause);
      waiting.set(of, (waiting.get(of) ?? new Set()).add(cell));
      return cell === to.cell ? "payee" : "other";
    },
    over: (of: string) => {
      const cells = waiting.get(of) ?? [];
      waiting.delete(of);
      for (const cell of cells) if (!isAway(cell)) events.back(cell);
    },
  };
}
