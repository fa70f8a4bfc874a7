/** What became due when the sandbox's clock or a rail was moved: done before the call that moved it is answered (spec D18). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { toReferenceNo } from "../ids.ts";
import type { DueWork } from "../sandbox/control/clock-calls.ts";
import type { Rails } from "./rails.ts";

export interface DueWorkDeps {
  readonly clock: Clock;
  /** How much of the jobs is due and not done yet. */
  countPending(): Promise<number>;
  /** Runs all jobs once; never rejects. */
  runAll(): Promise<unknown>;
  readonly rails: Pick<Rails, "dispatcher" | "heldBack">;
}

/** How long a move of the sandbox's clock waits for what it made due. */
export const settleMs = 30_000;
const lookEveryMs = 50;

/** A call that a simulated rail will not answer yet, because it is slow or in limbo, is nothing that is due. */
export function createDueWork({ clock, countPending, runAll, rails }: DueWorkDeps): DueWork {
  const { sender, reconcile } = rails.dispatcher;
  const answerable = async (ids: readonly string[]) => {
    const held = await rails.heldBack();
    return ids.filter((id) => !held.has(toReferenceNo(id)));
  };
  const pending = async () => {
    const count = await countPending();
    const lookedAfter = reconcile.flatMap(({ underWay }) => underWay());
    const held = lookedAfter.length - (await answerable(lookedAfter)).length;
    return Math.max(0, count - held);
  };
  // What one job ends may be another's work by then, counted by neither: looked at twice, it is.
  const isNothingDue = async () => (await pending()) === 0 && (await pending()) === 0;

  const settle = async () => {
    const until = clock.real() + settleMs;
    const begun = new Set(sender.underWay());
    const areAnswered = async () => (await answerable(sender.underWay().filter((id) => begun.has(id)))).length === 0;
    let runs = runAll();
    while (clock.real() < until) {
      const haveEnded = await Promise.race([runs.then(() => true), sleep(lookEveryMs, false)]);
      if ((await isNothingDue()) && (await areAnswered())) return;
      if (!haveEnded) continue;
      await sleep(lookEveryMs);
      runs = runAll();
    }
  };
  return { settle, pending };
}
