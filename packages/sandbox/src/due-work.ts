/** Does what became due when the sandbox's clock or a rail was moved: done before the call that moved it is answered (spec D18). */
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceParts } from "@titian/server";
import { toReferenceNo } from "@titian/server/admin";
import type { Clock } from "@titian/server/rails";
import type { DueWork } from "./control/clock-calls.ts";

export interface DueWorkDeps {
  readonly clock: Clock;
  /** All cells that work. */
  readonly cells: Pick<ServiceParts["cells"], "all">;
  /** Reference numbers of instructions that a simulated rail lets us wait for until time or its mode moves on. */
  heldBack(): Promise<ReadonlySet<string>>;
}

/** Time that a move of the sandbox's clock waits for what it made due. */
const settleMs = 30_000;
const lookEveryMs = 50;

/** A call that a simulated rail will not answer yet, because it is slow or in limbo, is nothing that is due. */
export function createDueWork({ clock, cells, heldBack }: DueWorkDeps): DueWork {
  const dispatchers = () => cells.all().map(({ rails }) => rails.dispatcher);
  const beingSent = () => dispatchers().flatMap(({ sender }) => sender.underWay());
  const answerable = async (ids: readonly string[]) => {
    const held = await heldBack();
    return ids.filter((id) => !held.has(toReferenceNo(id)));
  };
  const pending = async () => {
    const counts = await Promise.all(cells.all().map(({ jobs }) => jobs.countPending()));
    const count = counts.reduce((sum, one) => sum + one, 0);
    const lookedAfter = dispatchers()
      .flatMap(({ reconcile, sendBulkItems }) => [...reconcile, sendBulkItems])
      .flatMap(({ underWay }) => underWay());
    const held = lookedAfter.length - (await answerable(lookedAfter)).length;
    return Math.max(0, count - held);
  };
  // Work that one job ends may be another's by then, counted by neither: looked at twice, it is.
  const isNothingDue = async () => (await pending()) === 0 && (await pending()) === 0;

  const settle = async () => {
    const until = clock.real() + settleMs;
    const begun = new Set(beingSent());
    const areAnswered = async () => (await answerable(beingSent().filter((id) => begun.has(id)))).length === 0;
    const runAll = () => Promise.all(cells.all().map(({ jobs }) => jobs.runAll()));
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
