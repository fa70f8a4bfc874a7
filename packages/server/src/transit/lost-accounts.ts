/** Accounts that home says are in a cell, and that it has lost by a restore: they are opened anew, and take debits once their money is there. */
import { findAccountByNumber, readStatuses } from "../store/reads/accounts.ts";
import { listArriving } from "../store/tables/cells/account-moves.ts";
import { arrive, type Way } from "./move-accounts.ts";
import type { MoveDeps } from "./move-deps.ts";
import { type LostAccounts, receiveNewest } from "./receive-account.ts";

/** Accounts of one reading. */
const pageMax = 256;

/**
 * Opens accounts anew that home says are in the cell, and that it has lost by a restore, with the terms of the cell that they had left last. False:
 * not all cells could be asked, and it opened none that it might have found there. May be repeated; never rejects.
 */
export async function openLost(deps: MoveDeps, to: number): Promise<boolean> {
  const numbers = [...deps.moved()].flatMap(([accountNo, cell]) => (cell === to ? [accountNo] : []));
  try {
    for (let first = 0; first < numbers.length; first += pageMax)
      await openPage(deps, to, numbers.slice(first, first + pageMax));
    return deps.cell(to) !== undefined;
  } catch {
    return false;
  }
}

/** Those of them that the cell lacks. @throws where it lacks one, and a cell that the account may have left cannot be asked */
async function openPage(deps: MoveDeps, to: number, accountNos: readonly string[]): Promise<void> {
  const target = deps.cell(to);
  if (!target) throw new Error(`cell ${to} is not served now`);
  const known = await target.confirmed(() => readStatuses(target.pool, accountNos));
  // One that has left by a move that is under way is where it should be.
  const isLost = (one: string) => (known.get(one) ?? "moved") === "moved" && !deps.moving().has(one);
  const lost = accountNos.filter(isLost);
  if (lost.length === 0) return;
  const others = deps.cells().flatMap((cell) => {
    if (cell === to) return [];
    const source = deps.cell(cell);
    if (!source) throw new Error(`cell ${cell}, which an account may have left, does not answer`);
    return [{ ...source, cell }];
  });
  for (const accountNo of lost) {
    const moved = { others, to: { ...target, cell: to }, clock: deps.clock };
    await target.confirmed(() => receiveNewest(moved, accountNo));
  }
}

/** Lost accounts of the cell, for the streams to it. */
export function lostAccountsOf(deps: MoveDeps, to: number): LostAccounts {
  return {
    isHere: (accountNo) => deps.moved().get(accountNo) === to,
    open: (accountNos) => openPage(deps, to, accountNos),
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
