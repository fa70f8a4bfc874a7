/**
 * Moves accounts from one cell to another, as home says (docs/adr/0098-account-moves.md). Each step is idempotent and begins with the two
 * accounts as they are: any node may take it, at once with others, and go on where one of them has died.
 */
import { homeCell } from "../basics/ids.ts";
import type { Account } from "../ledger/accounts/account.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { zero } from "../ledger/money.ts";
import type { MovedAccount } from "../ledger/reference/directory.ts";
import { cellsOfPartner } from "../ledger/reference/reference-data.ts";
import { codeOfServer, restrictViolation } from "../store/postgres/database-away.ts";
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { readTransitPositions } from "../store/reads/transit.ts";
import { finishMove } from "../store/tables/cells/moved-accounts.ts";
import {
  arriveAccount,
  leaveAccount,
  listArriving,
  readLeft,
  stayAccount,
} from "../store/tables/cells/account-moves.ts";
import type { MoveDeps, MovingCell } from "./move-deps.ts";
import { receive } from "./receive-account.ts";
import { relocate } from "./relocate-account.ts";

/** Each node that home answers works by a change of reference data within 2 s: since then none takes a call for the account (ms). */
const announcedMs = 5_000;

/** One that has not left by then, since its new cell does not answer, stays (ms). */
const givenUpMs = 60_000;

/** Accounts that are moved at once. */
const atOnce = 8;

interface Way {
  readonly accountNo: string;
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** One that moves accounts, and knows for how long each has been announced to this node. */
export function createAccountMover(deps: MoveDeps): { run(): Promise<number> } {
  const announcedAt = new Map<number, number>();
  const announcedFor = ({ number }: Way) => {
    const now = deps.clock.monotonic();
    const at = announcedAt.get(number) ?? now;
    announcedAt.set(number, at);
    return now - at;
  };
  return {
    run: async () => {
      const ways = [...deps.moving().values()].flatMap(wayOf);
      const open = new Set(ways.map(({ number }) => number));
      for (const number of announcedAt.keys()) if (!open.has(number)) announcedAt.delete(number);
      const steps: PromiseSettledResult<boolean>[] = [];
      for (let first = 0; first < ways.length; first += atOnce) {
        const some = ways.slice(first, first + atOnce);
        steps.push(...(await Promise.allSettled(some.map((way) => move(deps, way, announcedFor(way))))));
      }
      const ended = steps.filter((step) => step.status === "fulfilled" && step.value).length;
      if (ended > 0) await deps.refresh();
      // One that fails holds up no other.
      const failed = steps.find((step) => step.status === "rejected");
      if (failed) throw failed.reason;
      return ended;
    },
  };
}

function wayOf({ accountNo, number, cell: from, movingTo: to }: MovedAccount): readonly Way[] {
  return to === undefined ? [] : [{ accountNo, number, from, to }];
}

/** As far as it comes; true: it has ended. `heardMs`: since this node has heard of it. */
async function move(deps: MoveDeps, way: Way, heardMs: number): Promise<boolean> {
  const [source, target] = [deps.cell(way.from), deps.cell(way.to)];
  if (!source) return false;
  const here = await source.confirmed(() => findAccountByNumber(source.pool, way.accountNo));
  if (here?.status !== "moved") {
    const there = await seeIn(target, way);
    if (there === "silent" && heardMs < givenUpMs) return false;
    const refusal = there === "silent" ? `cell ${way.to} does not answer` : rejectMove(deps, way, { here, there });
    if (refusal !== undefined) return stay(deps, way, refusal);
    if (heardMs < announcedMs) return false;
    const why = await leave(source, way);
    return why === undefined ? move(deps, way, heardMs) : stay(deps, way, why);
  }
  const left = await source.confirmed(() => readLeft(source.pool, way.accountNo));
  if (left && left.to !== way.to) return stay(deps, way, `it has moved to cell ${left.to}: ask for that`);
  if (!target) return false;
  const there = await target.confirmed(() => findAccountByNumber(target.pool, way.accountNo));
  if (there === undefined || there.status === "moved") {
    const between = { from: { ...source, cell: way.from }, to: { ...target, cell: way.to }, clock: deps.clock };
    await target.confirmed(() => receive(between, way.accountNo));
  }
  return (await arrive(deps, way, here)) && end(deps, way);
}

/** The account as its new cell has it, which may be none. */
async function seeIn(target: MovingCell | undefined, { accountNo }: Way): Promise<Account | "silent" | undefined> {
  if (!target) return "silent";
  return target.confirmed(() => findAccountByNumber(target.pool, accountNo)).catch(() => "silent");
}

interface Both {
  /** As it is in its cell, and in the one that it shall move to. */
  readonly here: Account | undefined;
  readonly there: Account | undefined;
}

/** The reason why it stays, as far as it is seen before it has left. */
function rejectMove(
  { partnerOf, clock, stream }: MoveDeps,
  { from, to }: Way,
  { here, there }: Both,
): string | undefined {
  if (here?.purpose !== "customer") return "there is no such account of a holder";
  const isFree = there === undefined || there.status === "moved";
  if (!isFree) return `cell ${to} has another account of this number`;
  if (stream(from, to)?.isStopped(here.currency) !== false)
    return `nothing is paid to cell ${to} now: titian cells check`;
  const lacking = here.partners
    .flatMap((key) => partnerOf(key) ?? [])
    .find((partner) => cellsOfPartner(partner).every(({ cell, since = 0 }) => cell !== to || since > clock.real()));
  return lacking && `partner ${lacking.partnerId} has no calls in cell ${to} yet: titian partner change --cells`;
}

/** Ends the move with that reason, unless another node has had the account leave meanwhile: then it goes on. */
async function stay(deps: MoveDeps, way: Way, refusal: string): Promise<boolean> {
  const source = deps.cell(way.from);
  const stays = source && (await source.confirmed(() => stayAccount(source.pool, way)));
  return stays === true && end(deps, way, refusal);
}

/** The reason why it stays; undefined: it has left. */
async function leave({ pool, confirmed }: MovingCell, way: Way): Promise<string | undefined> {
  try {
    await confirmed(() => leaveAccount(pool, way, way.to));
    return undefined;
  } catch (error) {
    if (codeOfServer(error) === restrictViolation)
      return (error as Error).message.replaceAll(`account ${way.accountNo}`, "the account");
    throw error;
  }
}

/** Accounts of one reading. */
const pageMax = 256;

/**
 * Opens accounts anew that home says are in the cell, and that it has lost by a restore, with the terms of the cell that they had left. To be
 * called when the cell is served, until it answers true: all cells were asked. Never rejects.
 */
export async function openLost(deps: MoveDeps, to: number): Promise<boolean> {
  const others = deps.cells().filter((one) => one !== to);
  const isAsked = await openFrom(deps, to, others).catch(() => false);
  return isAsked && others.every((from) => deps.cell(from) !== undefined);
}

async function openFrom(deps: MoveDeps, to: number, others: readonly number[]): Promise<boolean> {
  const target = deps.cell(to);
  if (!target) return false;
  const numbers = [...deps.moved()].flatMap(([accountNo, cell]) => (cell === to ? [accountNo] : []));
  for (let first = 0; first < numbers.length; first += pageMax) {
    const page = numbers.slice(first, first + pageMax);
    const known = await target.confirmed(() => readStatuses(target.pool, page));
    for (const accountNo of page.filter((one) => !known.has(one))) {
      for (const from of others) {
        const source = deps.cell(from);
        const between = source && { from: { ...source, cell: from }, to: { ...target, cell: to }, clock: deps.clock };
        if (between) await target.confirmed(() => receive(between, accountNo));
      }
    }
  }
  return true;
}

/** Accounts that a restored cell had lost, and that were opened anew; answers how many take debits now. One that is stuck keeps no other. */
export async function arriveAgain(deps: MoveDeps, to: number): Promise<number> {
  const target = deps.cell(to);
  let [count, after] = [0, ""];
  for (;;) {
    const page = target ? await listArriving(target.pool, after, pageMax) : [];
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last.accountNo;
    for (const one of page) count += (await arriveOne(deps, { ...one, to }).catch(() => false)) ? 1 : 0;
  }
}

/** Where home says that it is there. */
async function arriveOne(deps: MoveDeps, way: Way): Promise<boolean> {
  const source = deps.cell(way.from);
  if (!source || deps.moving().has(way.accountNo) || deps.moved().get(way.accountNo) !== way.to) return false;
  const here = await source.confirmed(() => findAccountByNumber(source.pool, way.accountNo));
  return here?.status === "moved" && arrive(deps, way, here);
}

/** False: its money is not there yet. */
async function arrive(deps: MoveDeps, way: Way, { currency }: Account): Promise<boolean> {
  const { accountNo, from, to } = way;
  const [source, target, stream] = [deps.cell(from), deps.cell(to), deps.stream(from, to)];
  if (!source || !target || !stream || !(await relocate(deps, { accountNo, currency, from, to }))) return false;
  const outNo = internalAccountNo("transit", currency, "out", to);
  // Later credits go on by themselves.
  const left = await source.confirmed(async () => ({
    account: await findAccountByNumber(source.pool, accountNo),
    version: (await readTransitPositions(source.pool, [outNo])).get(outNo)?.version ?? 0,
  }));
  const { version: sent, account } = left;
  if (account?.balance !== zero) return false;
  if (sent > 0 && !(await stream.waitForMirror({ currency, version: sent }))) return false;
  const mirror = internalAccountNo("transit", currency, "in", from);
  await target.confirmed(() => arriveAccount(target.pool, way, { mirror, sent, use: account.dailyUse }));
  return true;
}

async function end({ cell, onEnd }: MoveDeps, way: Way, refusal?: string): Promise<boolean> {
  const { accountNo, from, to } = way;
  const home = cell(homeCell);
  if (!home) return false;
  const outcome = refusal === undefined ? { cell: to } : { cell: from, refusal };
  if (await home.confirmed(() => finishMove(home.pool, way, outcome))) onEnd({ accountNo, from, to, refusal });
  return true;
}
