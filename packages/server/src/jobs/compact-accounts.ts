/**
 * Moves accounts from the last pages of their table to free ones before them, once it has become much larger than they need,
 * so that vacuum can cut its end off (docs/guides/database-growth.md). Any node may run it, also at once with another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { moveAccount, readAccountsOnPages, readAccountsSize } from "../store/partitions/compaction.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import type { Job, MayGoOn } from "./job.ts";

export interface CompactDeps {
  readonly pool: StatementPool;
  /** Told at each look by how many bytes the table is larger than its rows need. */
  readonly onExcess: (bytes: number) => void;
}

const everyMs = 60_000;
/** Pages more than needed that are worth a move: 1 MB. */
const pagesMin = 128;
const ratioMin = 2;
/** Accounts beyond so many times the pages that are needed are moved. */
const ratioKept = 1.25;
/** Pages a statement. */
const slice = 1_000;
/** After so many moves it pauses, so that it takes half of a connection's time. */
const movesBeforePause = 20;
const pauseMs = 20;

export function createCompactAccounts({ pool, onExcess }: CompactDeps): Job {
  /** The next transaction at the look before: a snapshot that does not see it has been open since. */
  let before = Infinity;
  /** Until no page before is free, as long as versions wait for a vacuum. */
  const moveAll = async (pages: number, kept: number, mayGoOn: MayGoOn): Promise<number> => {
    let moved = 0;
    for (let to = pages; to > kept; to -= slice) {
      if (!(await mayGoOn())) return moved;
      await sleep(pauseMs);
      for (const [position, account] of (await readAccountsOnPages(pool, Math.max(kept, to - slice), to)).entries()) {
        if (!(await mayGoOn())) return moved;
        const result = await moveAccount(pool, account);
        if (result === "noPage") return moved;
        if (result === "moved") moved += 1;
        if (position % movesBeforePause === 0) await sleep(pauseMs);
      }
    }
    return moved;
  };
  const run: Job["run"] = async (mayGoOn) => {
    const size = await readAccountsSize(pool);
    const isSnapshotOld = size.oldestSnapshot < before;
    before = size.nextTransaction;
    const { pages, pagesNeeded } = size;
    if (pagesNeeded === undefined) return 0;
    const excess = Math.max(0, pages - pagesNeeded);
    onExcess(excess * size.pageSize);
    const isLarge = excess > pagesNeeded * (ratioMin - 1) && excess > pagesMin;
    if (!isLarge || isSnapshotOld) return 0;
    return moveAll(pages, Math.ceil(pagesNeeded * ratioKept), mayGoOn);
  };
  return { name: "compact-accounts", everyMs, actsOnTime: false, run };
}
