/** Moves the accounts that home has announced, those between two cells a few at once, so that a cell that hangs keeps no others waiting. */
import { inTime } from "../basics/in-time.ts";
import type { MovedAccount } from "../ledger/reference/directory.ts";
import { type HeardWay, move, type Way } from "./move-accounts.ts";
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

/** One that knows since when each move has been announced to this node, and why it has refused it. */
export function createAccountMover(deps: MoveDeps): AccountMover {
  const heard = new Map<string, HeardWay>();
  const hear = (way: Way): HeardWay => {
    const known = heard.get(keyOf(way)) ?? { ...way, heardAt: deps.clock.monotonic() };
    heard.set(keyOf(way), known);
    return known;
  };
  /** Moves between two cells that are under way, by the cells. */
  const underWay = new Map<string, Promise<void>>();
  let since: { readonly ended: number; readonly failures: readonly unknown[] } = { ended: 0, failures: [] };
  const moveAll = async (ways: readonly HeardWay[]) => {
    const looks = { unanswered: 0 };
    for (let first = 0; first < ways.length; first += atOnce) {
      const some = ways.slice(first, first + atOnce);
      const steps = await Promise.allSettled(some.map((way) => move(deps, way, looks)));
      const ended = steps.filter((step) => step.status === "fulfilled" && step.value).length;
      // One that fails holds up no other.
      const failures = steps.flatMap((step) => (step.status === "rejected" ? [step.reason as unknown] : []));
      since = { ended: since.ended + ended, failures: [...since.failures, ...failures] };
    }
  };
  return {
    run: async () => {
      // Those that wait for others are heard of, too.
      const ways = [...deps.moving().values()].flatMap(wayOf).map(hear);
      const open = new Set(ways.map(keyOf));
      for (const key of heard.keys()) if (!open.has(key)) heard.delete(key);
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

/** Accounts that are announced in the same millisecond have the same number. */
function keyOf({ accountNo, number }: Way): string {
  return `${number} ${accountNo}`;
}

function wayOf({ accountNo, number, cell: from, movingTo: to }: MovedAccount): readonly Way[] {
  return to === undefined ? [] : [{ accountNo, number, from, to }];
}
