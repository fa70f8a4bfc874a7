/** One stream of a shipper: entries in one currency from one cell to another, read and mirrored page by page. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../basics/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import type { Transit } from "../ledger/transit/transit-account.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  readTransitEntries,
  readTransitPositions,
  type StoredTransitEntry,
  type TransitPosition,
} from "../store/reads/transit.ts";
import { asked, CellAway } from "./cell-away.ts";
import { findPayees, type FindSettlement } from "./find-payees.ts";
import { type LostAccounts, openMoved } from "./receive-account.ts";
import { mirrorCommand } from "./mirror-command.ts";
import { faultOf, isLevel, type Mirror, minus } from "./compare-mirror.ts";
import { type PageEnd, readOutcomes } from "./page-result.ts";
import type { StopReason, TransitEvents } from "./transit-events.ts";

/** The payer's cell. */
export interface TransitSource {
  readonly cell: number;
  readonly pool: StatementPool;
  /** Gives what was read once nothing of it can be lost any more (`Confirmations`). */
  confirmed<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** The payee's cell. */
export interface TransitTarget {
  readonly cell: number;
  readonly pool: StatementPool;
  readonly engine: Pick<Engine, "submit">;
  /** Connections that write; absent: accounts that have moved there are not opened anew. */
  readonly writes?: StatementPool;
  /** Absent: it has lost none. */
  readonly lost?: LostAccounts | undefined;
  /** Where this cell has merchants' settlement accounts: home. */
  readonly findSettlement?: FindSettlement | undefined;
}

export interface StreamDeps {
  readonly from: TransitSource;
  readonly to: TransitTarget;
  readonly clock: Pick<Clock, "now" | "real">;
  readonly events: TransitEvents;
}

/** Pause where the mirror has less than was read of it (ms). */
const gapPauseMs = 20;

/** Longest wait for a page. */
const pageMs = 10_000;

/** While another shipper is at work this one looks how far it is (ms), and goes on itself where the mirror stands still for some pages' time (ms). */
const followed = { lookMs: 5, pages: 3, leastMs: 30, mostMs: 250 };

export interface TransitStream {
  readonly currency: string;
  /** Ships what there is; false: something is left. `wanted`: callers wait for the entries up to this one. @throws CellAway */
  ship(wanted: number): Promise<boolean>;
  /** Reads how much there is to ship, while the payee's cell is away. @throws CellAway */
  look(): Promise<void>;
  /** Has the mirror read before the next page: it may have changed by others. */
  doubt(): void;
  /** True: the two cells do not agree. */
  readonly isStopped: boolean;
  /** True: both accounts were read. */
  readonly isKnown: boolean;
  /** Entries of the mirror; undefined: not known yet. */
  readonly mirrored: number | undefined;
  /** Entries that are not mirrored yet. */
  readonly entries: number;
  /** When the oldest of them was made (business time, epoch ms). */
  readonly oldestAt: number | undefined;
}

/** A stream, as its shipper knows it. */
interface State {
  readonly deps: StreamDeps;
  readonly transit: Transit;
  mirror: Mirror | undefined;
  /** True: this shipper made the mirror so, and nobody else is known to have changed it. */
  isSure: boolean;
  /** Entries of the account that is mirrored. */
  sent: number;
  oldestAt: number | undefined;
  stopped: StopReason | undefined;
  isKnown: boolean;
  mayDivert: boolean;
  /** Another shipper was seen at work then (epoch ms). */
  followsSince: number | undefined;
  /** Some pages took so long when the last one was sent (ms). */
  stillMs: number;
  /** The last entry that was mirrored: partitions that ended before its journal are over. */
  last: { readonly version: number; readonly journalId: string } | undefined;
}

export function createTransitStream(deps: StreamDeps, transit: Transit): TransitStream {
  const state: State = {
    deps,
    transit,
    mirror: undefined,
    isSure: false,
    sent: 0,
    oldestAt: undefined,
    stopped: undefined,
    isKnown: false,
    mayDivert: false,
    followsSince: undefined,
    stillMs: followed.leastMs,
    last: undefined,
  };
  return {
    currency: transit.currency,
    ship: (wanted) => ship(state, wanted),
    look: async () => {
      const [out, version] = [await readOut(state), state.mirror?.version ?? 0];
      state.sent = out?.version ?? 0;
      if (out && version < state.sent && state.oldestAt === undefined)
        state.oldestAt = (await readPage(state, out.id, version))[0]?.at;
    },
    doubt: () => {
      state.isSure = false;
    },
    get isStopped() {
      return state.stopped !== undefined;
    },
    get isKnown() {
      return state.isKnown;
    },
    get mirrored() {
      return state.mirror?.version;
    },
    get entries() {
      return Math.max(0, state.sent - (state.mirror?.version ?? 0));
    },
    get oldestAt() {
      return state.oldestAt;
    },
  };
}

async function ship(state: State, wanted: number): Promise<boolean> {
  if (state.followsSince !== undefined) return follow(state, state.followsSince);
  if (!state.isSure) state.mirror = await readMirror(state);
  state.isSure = true;
  const end = await shipPage(state, wanted);
  // A gap says nothing: what is before it comes first.
  if (end !== "again") tellStop(state, end === "done" || end === "level" ? undefined : end);
  if (end === "level") state.oldestAt = undefined;
  else if (end !== "done") state.isSure = false;
  return end !== "done" && end !== "again";
}

/** Looks how far another shipper is: two that send the same entries cost twice as much. */
async function follow(state: State, since: number): Promise<false> {
  await sleep(followed.lookMs);
  const [before, mirror] = [state.mirror?.version ?? 0, await readMirror(state)];
  const now = state.deps.clock.real();
  state.mirror = mirror;
  if ((mirror?.version ?? 0) >= state.sent) {
    state.sent = (await readOut(state))?.version ?? 0;
    state.oldestAt = undefined;
  }
  if ((mirror?.version ?? 0) > before) state.followsSince = now;
  else if (Math.abs(now - since) >= state.stillMs) state.followsSince = undefined;
  return false;
}

/** One page behind the mirror. */
async function shipPage(state: State, wanted: number): Promise<PageEnd> {
  const { mirror, deps } = state;
  if (mirror && wanted > mirror.version && state.stopped === undefined) {
    const page = await readWanted(state, mirror, wanted);
    if (page.length > 0) return send(state, mirror.name, page);
  }
  const version = mirror?.version ?? 0;
  const seen = await readOut(state);
  state.sent = seen?.version ?? 0;
  state.isKnown = true;
  if (isLevel(mirror, seen)) return "level";
  // The payer's cell must never lose an entry that is shipped, and must not find again, later, an entry whose absence stopped the stream.
  const reading = deps.from.confirmed(async () => {
    const found = await readOut(state);
    return { out: found, page: found && found.version > version ? await readPage(state, found.id, version) : [] };
  });
  const { out, page } = await asked(deps.from.cell, reading);
  state.sent = out?.version ?? 0;
  state.oldestAt = page[0]?.at;
  const fault = faultOf(mirror, out, page);
  return fault === undefined && out ? send(state, out.id, page) : (fault ?? "level");
}

/**
 * The page that somebody waits for, without a look at the account: a mirror has the id of its account as its name, and each entry is
 * compared with the mirror where it is decided. Empty: the account must be looked at.
 */
async function readWanted(
  state: State,
  { name, version }: Mirror,
  wanted: number,
): Promise<readonly StoredTransitEntry[]> {
  const { from } = state.deps;
  const reading = from.confirmed(() => readPage(state, name, version));
  const page = await asked(from.cell, reading);
  state.sent = Math.max(state.sent, wanted, page.at(-1)?.version ?? 0);
  state.isKnown = true;
  state.oldestAt = page[0]?.at;
  return page;
}

async function send(state: State, account: string, page: readonly StoredTransitEntry[]): Promise<PageEnd> {
  const { transit, mayDivert } = state;
  const { to, clock, events } = state.deps;
  // One of a stream that has stopped shows whether it goes on.
  const entries = state.stopped === undefined ? page : page.slice(0, 1);
  const beganAt = clock.real();
  const order = { transit, account, deadline: beganAt + pageMs, mayDivert };
  const paid = await findPayees(to, entries);
  await asked(to.cell, openMoved(state.deps, paid));
  const outcomes = await Promise.all(paid.map((one) => to.engine.submit(mirrorCommand({ ...order, ...one }))));
  const { end, done, credited, diverted, trouble } = readOutcomes(outcomes);
  events.mirrored(credited, diverted);
  state.mayDivert = diverted > 0;
  const reached = entries[done - 1];
  if (reached) {
    state.mirror = { name: account, version: reached.version, balance: minus(reached.balanceAfter) };
    state.last = reached;
    state.oldestAt = page[done]?.at;
  }
  // All of it was mirrored before: another shipper is ahead.
  if (credited + diverted === 0) state.isSure = false;
  // Not the same for all: those that follow one another go on one after the other.
  const pages = (followed.pages + Math.random()) * (clock.real() - beganAt);
  state.stillMs = Math.max(followed.leastMs, Math.min(followed.mostMs, pages));
  if ((credited + diverted) * 2 < done) state.followsSince = clock.real();
  if (trouble !== undefined) throw new CellAway(to.cell, trouble);
  // The mirror was read from another server than the engine writes to: it comes right, or the engine says that it is away.
  if (end === "again" && done === 0) await sleep(gapPauseMs);
  return end;
}

/** Tells a stop once, and that it is over. */
function tellStop(state: State, reason: StopReason | undefined): void {
  const { stopped, mirror, sent, transit, deps } = state;
  if (reason === stopped) return;
  const stop = { currency: transit.currency, mirrored: mirror?.version ?? 0, sent };
  state.stopped = reason;
  if (reason !== undefined) deps.events.stopped({ ...stop, reason });
  else if (stopped !== undefined) deps.events.resumed({ ...stop, reason: stopped });
}

function readMirror({ deps, transit }: State): Promise<TransitPosition | undefined> {
  return readPosition(deps.to, internalAccountNo("transit", transit.currency, "in", transit.from));
}

function readOut({ deps, transit }: State): Promise<TransitPosition | undefined> {
  return readPosition(deps.from, internalAccountNo("transit", transit.currency, "out", transit.to));
}

/** Those of the currencies in which the payer's cell has sent something. @throws CellAway */
export function findSent({ from, to }: StreamDeps, currencies: readonly string[]): Promise<readonly string[]> {
  return findCurrencies(from, currencies, (currency) => internalAccountNo("transit", currency, "out", to.cell));
}

/** Those in which the payee's cell has mirrored something: the payer's may have lost its account. @throws CellAway */
export function findMirrored({ from, to }: StreamDeps, currencies: readonly string[]): Promise<readonly string[]> {
  return findCurrencies(to, currencies, (currency) => internalAccountNo("transit", currency, "in", from.cell));
}

async function findCurrencies(
  cell: TransitSource | TransitTarget,
  currencies: readonly string[],
  numberOf: (currency: string) => string,
): Promise<readonly string[]> {
  const numbers = new Map(currencies.map((currency) => [numberOf(currency), currency]));
  const found = await asked(cell.cell, readTransitPositions(cell.pool, [...numbers.keys()]));
  return [...found.keys()].flatMap((accountNo) => numbers.get(accountNo) ?? []);
}

async function readPage({ deps, last }: State, account: string, after: number) {
  const { from } = deps;
  const afterJournal = last?.version === after ? last.journalId : undefined;
  const page = await asked(from.cell, readTransitEntries(from.pool, { account, after, afterJournal }));
  // An entry may have waited for its commit for longer than any should: then all partitions are looked at.
  if (page.length > 0 || afterJournal === undefined) return page;
  return asked(from.cell, readTransitEntries(from.pool, { account, after, afterJournal: undefined }));
}

async function readPosition({ cell, pool }: TransitSource | TransitTarget, accountNo: string) {
  return (await asked(cell, readTransitPositions(pool, [accountNo]))).get(accountNo);
}
