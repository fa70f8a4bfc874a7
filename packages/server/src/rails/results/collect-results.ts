/** Collects results that rails report: settled batches, late results, returns. A repeated result is recorded once. */
import { findReported } from "../find-reported.ts";
import { type DispatchDeps, recordResponse } from "./record-result.ts";
import { type DueJob, dueEveryMs, type MayGoOn } from "../../jobs/job.ts";
import type { DispatchEvents } from "../dispatch-events.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { Rail, RailResult, RailState } from "../rail.ts";
import { readResult } from "./parse-result.ts";
import { setAside } from "./set-aside.ts";

/** Collection of one rail. */
export interface CollectResults extends DueJob {
  readonly rail: RailName;
  /** Counts the waiting results; 0 when the rail does not respond. */
  pending(): Promise<number>;
}

const pageSize = 256;
/** So many that cannot be recorded are more than a run can do anything about. */
const failedMax = 1_024;

export function createCollectResults(deps: DispatchDeps, name: RailName): CollectResults {
  const rail = deps.rails[name];
  return {
    name: `collect-results ${name}`,
    rail: name,
    everyMs: dueEveryMs,
    actsOnTime: false,
    onDue: (runNow) => rail.onResults?.(runNow),
    run: (mayGoOn) => collect(deps, rail, mayGoOn),
    pending: () => deps.calls.within(() => rail.waiting()).catch(() => 0),
  };
}

/** Answers how many results are recorded. */
async function collect(given: DispatchDeps, rail: Rail, mayGoOn: MayGoOn): Promise<number> {
  const { calls } = given;
  let notKept = 0;
  const notSetAside: DispatchEvents["notSetAside"] = (result, error) => {
    notKept += 1;
    given.events.notSetAside({ ...result, comesAgain: true }, error);
  };
  const deps = { ...given, events: { ...given.events, notSetAside } };
  // A result that could not be recorded in this run stands before everything newer: it is passed over until the next
  // run. So is what comes again although it was acknowledged.
  const failed = new Set<string>();
  let acknowledged: ReadonlySet<string> = new Set();
  let count = 0;
  while (!calls.stopped && (await mayGoOn())) {
    const max = pageSize + failed.size;
    const found = await tryRail(deps, rail, () => rail.results(max));
    if (!found) break;
    const again = found.filter((result) => acknowledged.has(keyOf(result)));
    for (const { referenceNo } of again) failed.add(referenceNo);
    const results = found.filter(({ referenceNo }) => !failed.has(referenceNo));
    if ((results.length === 0 && again.length === 0) || failed.size > failedMax) break;
    const recorded = await recordInOrder(deps, rail, results);
    count += recorded.length;
    // The database takes nothing now: it will not take what stands behind, either.
    if (notKept > 0 && recorded.length === 0) break;
    if (!(await tryRail(deps, rail, () => rail.acknowledge(recorded).then(() => true)))) break;
    acknowledged = new Set(recorded.map(keyOf));
    const done = new Set(recorded);
    for (const result of results) if (!done.has(result)) failed.add(result.referenceNo);
  }
  return count;
}

/** The result of a call to the rail; undefined: it failed, or the node stops. */
async function tryRail<Result>(
  { calls, events }: DispatchDeps,
  { name }: Rail,
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await calls.within(call);
  } catch (error) {
    if (!calls.stopped) events.callFailed(name, error);
    return undefined;
  }
}

function keyOf({ referenceNo, state }: RailResult): string {
  // A rail may say anything, or nothing.
  const reported: RailState | null | undefined = state;
  return `${reported?.kind} ${referenceNo}`;
}

/** Transfers concurrently, the results of one transfer in order: a return follows its settlement. */
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

async function record(deps: DispatchDeps, rail: Rail, result: RailResult): Promise<boolean> {
  const valid = readOrReport(deps, rail, result);
  if (!valid) return false;
  const { referenceNo, state } = valid;
  const transfer = await findReported(deps.reads, rail.name, referenceNo);
  if (!transfer) {
    // Nothing here can record it: it is kept for an operator, and acknowledged, so that it does not come again.
    return setAside(deps, "unknown", { rail: rail.name, referenceNo, state });
  }
  return recordResponse(deps, transfer, state);
}

/** Undefined for an invalid result: it is not acknowledged, and comes again until the rail is fixed. */
function readOrReport({ events }: DispatchDeps, rail: Rail, result: RailResult): RailResult | undefined {
  try {
    return readResult(result);
  } catch (error) {
    events.callFailed(rail.name, error);
    return undefined;
  }
}
