/** Moves of accounts between the cells of a node, as jobs. */
import { homeCell } from "../../basics/ids.ts";
import type { Job } from "../../jobs/job.ts";
import { createAccountMover } from "../../transit/account-mover.ts";
import { createArriveAgain, createOpenLost, lostAccountsOf } from "../../transit/lost-accounts.ts";
import type { MoveDeps } from "../../transit/move-deps.ts";
import type { LostAccounts } from "../../transit/receive-account.ts";
import { createRelocateMoved } from "../../transit/relocate-account.ts";
import type { Core } from "../core.ts";
import { confirmedBy } from "../replication.ts";
import type { OtherCells } from "./other-cells.ts";

export interface AccountMoves {
  /** Jobs of a cell. */
  jobsOf(cell: number): readonly Job[];
  /** For the streams to the cell. */
  lostIn(cell: number): LostAccounts;
}

/** An announced account is moved within seconds, and what comes to it afterwards is there some seconds later (ms). */
const [moveEveryMs, relocateEveryMs] = [1_000, 10_000];

/** `home`: its core; `find`: the core of a cell that this node serves now, and that takes writes. */
export function createAccountMoves(
  home: Core,
  find: (cell: number) => Core | undefined,
  stream: OtherCells["stream"],
): AccountMoves {
  const { clock, reference, log } = home;
  const deps: MoveDeps = {
    clock,
    cell: (number) => {
      const core = find(number);
      if (!core) return undefined;
      const { engine, adminPool: pool, replication } = core;
      return { engine, pool, confirmed: confirmedBy(replication) };
    },
    stream,
    partnerOf: (key) => reference.current().partners.get(key),
    cells: () => reference.current().directory.cells,
    moved: () => reference.current().directory.moved,
    moving: () => reference.current().directory.moving,
    refresh: () => reference.refresh(),
    onEnd: ({ from, to, refusal }) => {
      if (refusal === undefined) return;
      const message = "An account stays in its cell: titian account moves";
      log.warn("account.not_moved", message, { fromCell: from, toCell: to });
    },
  };
  const mover = createAccountMover(deps);
  const move: Job = { name: "move-accounts", everyMs: moveEveryMs, actsOnTime: false, run: () => mover.run() };
  return {
    lostIn: (cell) => lostAccountsOf(deps, cell),
    jobsOf: (cell) => [relocateOf(deps, cell), ...(cell === homeCell ? [move] : [])],
  };
}

function relocateOf(deps: MoveDeps, cell: number): Job {
  const openLost = createOpenLost(deps, cell);
  const parts = [createRelocateMoved(deps, cell), createArriveAgain(deps, cell)];
  return {
    name: "relocate-accounts",
    everyMs: relocateEveryMs,
    actsOnTime: false,
    run: async (mayGoOn) => {
      await openLost(mayGoOn);
      // At once: neither waits for the other, nor ends with it.
      const results = await Promise.allSettled(parts.map((part) => part(mayGoOn)));
      return results.reduce((count, result) => {
        if (result.status === "rejected") throw result.reason;
        return count + result.value;
      }, 0);
    },
  };
}
