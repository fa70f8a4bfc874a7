/** Accounts that home says are in a cell, and that it has lost by a restore: they are opened anew, and take debits once their money is there. */
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { listArriving } from "../store/tables/cells/account-moves.ts";
import { arrive, type Way } from "./move-accounts.ts";
import type { MoveDeps } from "./move-deps.ts";
import { type LostAccounts, receive } from "./receive-account.ts";

/** Accounts of one reading. */
const pageMax = 256;

/**
 * Opens accounts anew that home says are in the cell, and that it has lost by a restore, with the terms of the cell that they had left. True:
 * all cells were asked. May be repeated; never rejects.
 */
export async function openLost(deps: MoveDeps, to: number): Promise<boolean> {
  const others = deps.cells().filter((one) => one !== to);
  const isAsked = await openFrom(deps, to, others).catch(() => false);
  return isAsked && others.every((from) => deps.cell(from) !== undefined);
}

async function openFrom(deps: MoveDeps, to: number, others: readonly number[]): Promise<boolean> {
  if (!deps.cell(to)) return false;
  const numbers = [...deps.moved()].flatMap(([accountNo, cell]) => (cell === to ? [accountNo] : []));
  for (let first = 0; first < numbers.length; first += pageMax)
    await openPage(deps, to, { others, accountNos: numbers.slice(first, first + pageMax) });
  return true;
}

interface LostPage {
  /** Cells that they may have left. */
  readonly others: readonly number[];
  readonly accountNos: readonly string[];
}

/** Those of them that the cell lacks, as far as the others can be asked; answers how many it lacks. */
async function openPage(deps: MoveDeps, to: number, { others, accountNos }: LostPage): Promise<number> {
  const target = deps.cell(to);
  if (!target) throw new Error(`cell ${to} is not served now`);
  const known = await target.confirmed(() => readStatuses(target.pool, accountNos));
  const lost = accountNos.filter((one) => !known.has(one));
  for (const accountNo of lost) {
    for (const from of others) {
      const source = deps.cell(from);
      const between = source && { from: { ...source, cell: from }, to: { ...target, cell: to }, clock: deps.clock };
      if (between) await target.confirmed(() => receive(between, accountNo));
    }
  }
  return lost.length;
}

/** Lost accounts of the cell, for the streams to it. */
export function lostAccountsOf(deps: MoveDeps, to: number): LostAccounts {
  return {
    isHere: (accountNo) => deps.moved().get(accountNo) === to,
    open: async (accountNos) => {
      const others = deps.cells().filter((one) => one !== to);
      const silent = others.find((from) => deps.cell(from) === undefined);
      const count = await openPage(deps, to, { others, accountNos });
      if (count > 0 && silent !== undefined)
        throw new Error(`cell ${silent}, which an account may have left, does not answer`);
    },
  };
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
