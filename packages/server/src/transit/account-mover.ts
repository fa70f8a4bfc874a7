/** Moves the accounts that home has announced, those between two cells a few at once, so that a cell that hangs keeps no others waiting. */
import { inTime } from "../basics/in-time.ts";
import type { MovedAccount } from "../ledger/reference/directory.ts";
import { move, type Way } from "./move-accounts.ts";
import type { MoveDeps } from "./move-deps.ts";

/** Accounts that are moved at once between two cells. */
const atOnce = 8;

/** A run waits for so long; what takes longer is told by a later one (ms). */
const runMs = 1_000;

/** Moves of accounts, as jobs run them. */
export interface AccountMover {
  /** Goes on with all moves; answers how many have ended since the last run. @throws the first failure since then */
  run(): Promise<number>;
}

/** One that knows for how long each move has been announced to this node. */
export function createAccountMover(deps: MoveDeps): AccountMover {
  const announcedAt = new Map<number, number>();
  const announcedFor = ({ number }: Way) => {
    const now = deps.clock.monotonic();
    const at = announcedAt.get(number) ?? now;
    announcedAt.set(number, at);
    return now - at;
  };
  /** Moves between two cells that are under way, by the cells. */
  const underWay = new Map<string, Promise<void>>();
  let since: { readonly ended: number; readonly failures: readonly unknown[] } = { ended: 0, failures: [] };
  const moveAll = async (ways: readonly Way[]) => {
    for (let first = 0; first < ways.length; first += atOnce) {
      const some = ways.slice(first, first + atOnce);
      const steps = await Promise.allSettled(some.map((way) => move(deps, way, announcedFor(way))));
      const ended = steps.filter((step) => step.status === "fulfilled" && step.value).length;
      // One that fails holds up no other.
      const failures = steps.flatMap((step) => (step.status === "rejected" ? [step.reason as unknown] : []));
      since = { ended: since.ended + ended, failures: [...since.failures, ...failures] };
    }
  };
  return {
    run: async () => {
      const ways = [...deps.moving().values()].flatMap(wayOf);
      const open = new Set(ways.map(({ number }) => number));
      for (const number of announcedAt.keys()) if (!open.has(number)) announcedAt.delete(number);
      // Those that wait for others, too.
      for (const way of ways) announcedFor(way);
      for (const [pair, some] of Map.groupBy(ways, ({ from, to }) => `${from} ${to}`)) {
        if (!underWay.has(pair))
          underWay.set(
            pair,
            moveAll(some).finally(() => underWay.delete(pair)),
          );
      }
      await inTime(Promise.all(underWay.values()), runMs);
      const { ended, failures } = since;
      since = { ended: 0, failures: [] };
      if (ended > 0) await deps.refresh();
      if (failures.length > 0) throw failures[0];
      return ended;
    },
  };
}

function wayOf({ accountNo, number, cell: from, movingTo: to }: MovedAccount): readonly Way[] {
  return to === undefined ? [] : [{ accountNo, number, from, to }];
}
