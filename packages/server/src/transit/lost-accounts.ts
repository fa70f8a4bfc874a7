/** Accounts that home says are in a cell, and that it has lost by a restore: they are opened anew, and take debits once their money is there. */
import { homeCell } from "../basics/ids.ts";
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { readDatabaseStart } from "../store/reads/timeline.ts";
import { listArriving } from "../store/tables/cells/account-moves.ts";
import { CellAway } from "./cell-away.ts";
import { arrive, type Way } from "./move-accounts.ts";
import type { MoveDeps } from "./move-deps.ts";
import { isAway, type LostAccounts, receiveNewest, receiveUnlessTaken } from "./receive-account.ts";

/** Accounts of one reading. */
const pageMax = 256;
/** All are looked at again after that time (ms). */
const againMs = 600_000;

/** True once all accounts are looked at; what is left is looked at by the next call. `mayGoOn` is asked before each page. Never rejects. */
export type OpenLost = (mayGoOn: () => Promise<boolean>) => Promise<boolean>;

/**
 * Opens accounts anew that home says are in the cell, and that it has lost by a restore, with the terms of the cell that they had left last; none
 * where not all cells that have it could be asked. All are read for each start of the cell's database, and of home's, since nothing else brings back an
 * earlier state of either; and again from time to time: a move that was under way, or was told late by home, may have hidden one.
 */
export function createOpenLost(deps: MoveDeps, to: number): OpenLost {
  let pass:
    | { readonly starts: string; readonly at: number; readonly numbers: readonly string[]; next: number }
    | undefined;
  const openRest = async (mayGoOn: () => Promise<boolean>): Promise<boolean> => {
    const starts = await readStarts(deps, to);
    const now = deps.clock.monotonic();
    const isOver = pass !== undefined && pass.next >= pass.numbers.length && now - pass.at >= againMs;
    if (pass?.starts !== starts || isOver) {
      // A restored home says otherwise than this node's copy of it; one that is away keeps nothing waiting.
      await deps.refresh().catch(() => undefined);
      const numbers = [...deps.moved()].flatMap(([accountNo, cell]) => (cell === to ? [accountNo] : []));
      pass = { starts, at: now, numbers, next: 0 };
    }
    while (pass.next < pass.numbers.length) {
      if (!(await mayGoOn())) return false;
      const page = pass.numbers.slice(pass.next, pass.next + pageMax);
      // Others have moved on since.
      await openPage(
        deps,
        to,
        page.filter((one) => deps.moved().get(one) === to),
      );
      pass.next += pageMax;
    }
    return true;
  };
  return (mayGoOn) => openRest(mayGoOn).catch(() => false);
}

/** Starts of the two databases; home's is left out while it does not answer. @throws where the cell's does not */
async function readStarts({ cell }: MoveDeps, to: number): Promise<string> {
  const [target, home] = [cell(to), cell(homeCell)];
  if (!target) throw notServed(to);
  const ofHome = home && (await readDatabaseStart(home.pool).catch(() => undefined));
  return `${await readDatabaseStart(target.pool)}, ${ofHome}`;
}

/** Those of them that the cell lacks. @throws CellAway where it lacks one, and a cell that the account may have left cannot be asked */
async function openPage(deps: MoveDeps, to: number, accountNos: readonly string[]): Promise<void> {
  const target = deps.cell(to);
  if (!target) throw notServed(to);
  const known = await target.confirmed(() => readStatuses(target.pool, accountNos));
  // One that has left by a move that is under way is where it should be.
  const isLost = (one: string) => isAway(known.get(one)) && !deps.moving().has(one);
  const lost = accountNos.filter(isLost);
  if (lost.length === 0) return;
  const others = deps.cells().flatMap((cell) => {
    if (cell === to) return [];
    const source = deps.cell(cell);
    // An account may have left it.
    if (!source) throw notServed(cell);
    return [{ ...source, cell }];
  });
  for (const accountNo of lost) {
    const moved = { others, to: { ...target, cell: to }, clock: deps.clock };
    await target.confirmed(() => receiveUnlessTaken(receiveNewest(moved, accountNo)));
  }
}

function notServed(cell: number): CellAway {
  return new CellAway(cell, new Error(`cell ${cell} is not served now`));
}

/** Lost accounts of the cell, for the streams to it. */
export function lostAccountsOf(deps: MoveDeps, to: number): LostAccounts {
  return {
    isHere: (accountNo) => deps.moved().get(accountNo) === to,
    open: (accountNos) => openPage(deps, to, accountNos),
  };
}

/**
 * Has accounts that a restored cell had lost, and that were opened anew, take debits where their money is there; answers how many do now. Each may wait for its
 * money, so it asks before each, and the next call goes on there: those that are stuck keep no others.
 */
export function createArriveAgain(deps: MoveDeps, to: number): (mayGoOn: () => Promise<boolean>) => Promise<number> {
  let after = "";
  return async (mayGoOn) => {
    let count = 0;
    while (await mayGoOn()) {
      const target = deps.cell(to);
      const page = target ? await listArriving(target.pool, after, pageMax) : [];
      if (page.length === 0) {
        after = "";
        break;
      }
      for (const one of page) {
        if (!(await mayGoOn())) return count;
        after = one.accountNo;
        count += (await arriveOne(deps, { ...one, to }).catch(() => false)) ? 1 : 0;
      }
    }
    return count;
  };
}

/** Where home says that it is there. */
async function arriveOne(deps: MoveDeps, way: Way): Promise<boolean> {
  const source = deps.cell(way.from);
  if (!source || deps.moving().has(way.accountNo) || deps.moved().get(way.accountNo) !== way.to) return false;
  const here = await source.confirmed(() => findAccountByNumber(source.pool, way.accountNo));
  return here?.status === "moved" && arrive(deps, way, here);
}
