/** The crash matrix: a transfer of one operation and one conduct, with its node killed at one moment after the other. */
import { type CrashPoint, crashPoints } from "./nodes/crash-points.ts";
import type { NodeOperation } from "./nodes/dispatch-node.ts";
import type { Moment } from "./nodes/node-messages.ts";
import type { ConductName } from "./rail-journal.ts";
import type { Plan, PlanRunner, Ran } from "./run-plans.ts";

export interface Cell {
  readonly name: NodeOperation;
  readonly conduct: ConductName;
}

export interface Killed {
  /** Moments at which nodes were killed. */
  readonly deaths: readonly Moment[];
  readonly faults: readonly string[];
  /** Deaths that were not met again: the commit that was on its way to the database came in this time, or did not. */
  readonly missed: readonly string[];
  /** The moments of the transfer when nobody is killed. */
  readonly moments: readonly Moment[];
}

/** Choice of the moments (counted from 1) at which the node is to be killed. */
export type Choice = (moment: Moment, at: number) => boolean;

export const isCrashPoint = (moment: Moment): moment is CrashPoint =>
  (crashPoints as readonly string[]).includes(moment);

const triesMost = 20;

/** Kills at each chosen moment, in one run each; `also` chooses at which moments the next node dies, too. */
export async function killAtMoments(runner: PlanRunner, cell: Cell, choose: Choice, also?: Choice): Promise<Killed> {
  const deaths: Moment[] = [];
  const faults: string[] = [];
  const missed: string[] = [];
  const run = async (kills: Plan["kills"], expected: readonly Moment[], triesLeft = triesMost): Promise<Ran> => {
    const ran = await runner.run({ ...cell, kills });
    const name = `${cell.name} ${cell.conduct} killed at ${expected.join(", then ") || "no moment"}`;
    deaths.push(...ran.deaths);
    faults.push(...ran.faults.map((fault) => `${name}: ${fault}`));
    if (ran.deaths.length === kills.length) return ran;
    // Killed with its commit on the way, it is open whether that arrived: what comes after differs.
    const isOpen = ran.deaths.at(-1) === "commitSent";
    if (isOpen && triesLeft > 1) return run(kills, expected, triesLeft - 1);
    (isOpen ? missed : faults).push(`${name}: died at ${ran.deaths.join()}`);
    return ran;
  };
  const [moments = []] = (await run([], [])).moments;
  for (const [first, at] of chosen(moments, choose)) {
    const [, afterwards = []] = (await run([at], [first])).moments;
    if (!also) continue;
    for (const [second, next] of chosen(afterwards, also)) await run([at, next], [first, second]);
  }
  return { deaths, faults, missed, moments };
}

function chosen(moments: readonly Moment[], choose: Choice): readonly (readonly [moment: Moment, at: number])[] {
  return moments.flatMap((moment, index) => (choose(moment, index + 1) ? [[moment, index + 1] as const] : []));
}

/** Something was done outside of the process: from here on dying would leave it behind. */
const isDone = (moment: Moment) =>
  moment === "committed" || moment === "submitCalled" || moment === "acknowledgeCalled";

/** Pairs of things done with no crash point between them; a listed point is where a test may step in. */
export function findUnguarded(moments: readonly Moment[]): readonly string[] {
  const unguarded: string[] = [];
  let last: Moment | undefined;
  for (const moment of moments) {
    if (isCrashPoint(moment)) last = undefined;
    if (!isDone(moment)) continue;
    if (last) unguarded.push(`${last}, ${moment}`);
    last = moment;
  }
  return last ? [...unguarded, `${last}, the end`] : unguarded;
}
