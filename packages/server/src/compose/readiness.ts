/** Whether this node may take calls, and what was looked at (`GET /health/ready`). */
import type { Readiness } from "../edge/pages/health.ts";
import { createReads } from "../store/reads/reads.ts";
import type { Core } from "./core.ts";

/** The given test says whether the node is going down: a load balancer must then send calls elsewhere. */
export function createReadiness(core: Core, isStopping: () => boolean): () => Promise<Readiness> {
  return async () => {
    const database = await canReach(core);
    const isCurrent = !core.reference.isStale();
    const agrees = database && (await core.clockCheck.agrees().catch(() => false));
    return {
      ready: database && isCurrent && agrees && !isStopping(),
      checks: {
        stopping: isStopping(),
        database: { reachable: database, version: core.database.version, unsafe: core.database.faults },
        clock: { agrees, differenceMs: core.clockCheck.differenceMs() ?? null },
        referenceData: { current: isCurrent, ageMs: Math.round(core.reference.ageMs()) },
        queue: { requests: core.engine.depth.requests, jobs: core.engine.depth.jobs },
      },
    };
  };
}

/** Not by the connections of reads: a node that is busy with them is still ready. */
async function canReach({ adminPool }: Core): Promise<boolean> {
  return createReads(adminPool)
    .answers()
    .catch(() => false);
}
