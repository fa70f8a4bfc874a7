/** Takes what rails tell by themselves: batches that settled, late answers, returns. Told twice, it is recorded once. */
import type { Clock } from "../clock.ts";
import { type DispatchDeps, findKnown, recordState } from "./dispatch.ts";
import type { Rail, RailResult } from "./rail.ts";

export interface CollectResults {
  readonly name: "collect-results";
  run(until: number): Promise<void>;
  pending(): Promise<number>;
}

const pageSize = 256;

export function createCollectResults(deps: DispatchDeps): CollectResults {
  const rails = Object.values(deps.rails);
  return {
    name: "collect-results",
    run: async (until) => void (await Promise.all(rails.map((rail) => collect(deps, rail, deps.clock, until)))),
    pending: async () => {
      const counts = await Promise.all(rails.map((rail) => rail.waiting()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

async function collect(deps: DispatchDeps, rail: Rail, clock: Clock, until: number): Promise<void> {
  for (let taken = 1; taken > 0 && clock.real() < until; ) {
    const results = await rail.results(pageSize);
    if (results.length === 0) return;
    deps.reached("resultsRead");
    const recorded = await recordInOrder(deps, rail, results);
    await rail.take(recorded);
    deps.reached("resultsTaken");
    taken = recorded.length;
  }
}

/** Different transfers at once, the results of one transfer one after the other: a return comes behind its settlement. */
async function recordInOrder(
  deps: DispatchDeps,
  rail: Rail,
  results: readonly RailResult[],
): Promise<readonly RailResult[]> {
  const recorded = await Promise.all(
    [...Map.groupBy(results, ({ referenceNo }) => referenceNo).values()].map(async (ofOne) => {
      const done: RailResult[] = [];
      for (const result of ofOne) {
        if (!(await record(deps, rail, result))) break;
        done.push(result);
      }
      return done;
    }),
  );
  return recorded.flat();
}

async function record(deps: DispatchDeps, rail: Rail, { referenceNo, state }: RailResult): Promise<boolean> {
  const transfer = await findKnown(deps.reads, referenceNo);
  if (!transfer || transfer.rail !== rail.name) {
    // Nothing we could ever record: taken, so that it does not come for ever.
    deps.events.unknownResult(rail.name, referenceNo);
    return true;
  }
  const isRecorded = await recordState(deps, transfer, state);
  if (isRecorded) deps.reached("resultRecorded");
  return isRecorded;
}
