/**
 * Results of a rail on a node that answers inquiries alone: those that the ledger cannot record are set aside for an operator,
 * and none is applied or acknowledged. The database may be replaced by a better copy, and a rail reports no result again that
 * was acknowledged (ADR 0054).
 */
import { findReported } from "../find-reported.ts";
import type { DispatchDeps } from "./record-result.ts";
import type { DispatchEvents } from "../dispatch-events.ts";
import type { DueJob } from "../../jobs/job.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { readResult } from "./parse-result.ts";
import type { Rail, RailResult } from "../rail.ts";
import { setAside } from "./set-aside.ts";

/** Comparison of one rail. */
export interface CompareResults extends DueJob {
  readonly rail: RailName;
}

const everyMs = 10_000;
/** Nothing is acknowledged, so that those behind the first so many are not seen. */
const resultsMax = 10_000;

export function createCompareResults(deps: DispatchDeps, name: RailName): CompareResults {
  const rail = deps.rails[name];
  /** They are kept, or the ledger can record them. */
  const seen = new Set<string>();
  return {
    name: `compare-results ${name}`,
    rail: name,
    everyMs,
    actsOnTime: false,
    pending: async () => 0,
    run: async (mayGoOn) => {
      let kept = 0;
      let isFailing = false;
      const notSetAside: DispatchEvents["notSetAside"] = (result, error) => {
        isFailing = true;
        deps.events.notSetAside(result, error);
      };
      const keeping = { ...deps, events: { notSetAside } };
      for (const result of await read(deps, rail)) {
        if (!(await mayGoOn())) break;
        const { referenceNo, state } = result;
        const key = `${state.kind} ${referenceNo}`;
        if (seen.has(key)) continue;
        const reason = await reasonToSetAside(deps, name, result);
        const isKept = reason === undefined || (await setAside(keeping, reason, { rail: name, referenceNo, state }));
        // The database takes nothing now: it will not take what stands behind, either.
        if (isFailing) break;
        if (!isKept) continue;
        seen.add(key);
        if (reason !== undefined) kept += 1;
      }
      return kept;
    },
  };
}

/** Those that are valid. */
async function read({ calls, events }: DispatchDeps, rail: Rail): Promise<readonly RailResult[]> {
  const onFailure = (error: unknown): readonly [] => {
    if (!calls.stopped) events.callFailed(rail.name, error);
    return [];
  };
  const found = await calls.within(() => rail.results(resultsMax)).catch(onFailure);
  return found.flatMap((result) => {
    try {
      return [readResult(result)];
    } catch (error) {
      return onFailure(error);
    }
  });
}

async function reasonToSetAside({ reads }: Pick<DispatchDeps, "reads">, rail: RailName, result: RailResult) {
  const transfer = await findReported(reads, rail, result.referenceNo);
  if (!transfer) return "unknown";
  const reported = result.state.kind;
  const isFinal = transfer.resolvedBy !== undefined && reported !== "pending";
  return isFinal && (transfer.state === "rejected") !== (reported === "rejected") ? "conflict" : undefined;
}
