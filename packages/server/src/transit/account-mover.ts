/** Moves the accounts that home has announced, a few at once. */
import type { MovedAccount } from "../ledger/reference/directory.ts";
import { move, type Way } from "./move-accounts.ts";
import type { MoveDeps } from "./move-deps.ts";

/** Accounts that are moved at once. */
const atOnce = 8;

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
