/** Readiness of this node for calls, and what was looked at (`GET /health/ready`). */
import type { Readiness } from "../edge/pages/health.ts";
import type { Core } from "./core.ts";

/** Time that a check may take: a database that is silent is not reachable. */
const checkMaxMs = 1_000;

/** The given test says whether the node is going down: a load balancer must then send calls elsewhere. */
export function createReadiness(core: Core, isStopping: () => boolean): () => Promise<Readiness> {
  return async () => {
    const { replication, reference, clockCheck, database, config, mode } = core;
    const reachable = replication !== undefined && (await inTime(replication.answers()));
    const isCurrent = !reference.isStale();
    const agrees = reachable && (await inTime(clockCheck.agrees().catch(() => false)));
    const { isSynchronous = null, standbys = null } = replication?.confirmations.replication ?? {};
    const isConfirmed = replication?.isConfirmed() ?? false;
    const fault = core.faults.current();
    const isFit = fault.unavailable === null && fault.lockedTable === null;
    const isAsRequired = config.synchronous === "optional" || isSynchronous === true;
    return {
      ready: reachable && isFit && isConfirmed && isAsRequired && isCurrent && agrees && !isStopping(),
      checks: {
        mode: mode.isInquiriesOnly() ? "inquiries-only" : "normal",
        modeReason: mode.reason() ?? null,
        stoppedRails: mode.stoppedRails().map(({ rail, because }) => ({ rail, because })),
        stopping: isStopping(),
        database: { reachable, version: database.version, unsafe: database.faults, ...fault },
        replication: {
          confirmed: isConfirmed,
          synchronous: isSynchronous,
          required: config.synchronous === "required",
          standbys,
        },
        clock: { agrees, differenceMs: clockCheck.differenceMs() ?? null },
        referenceData: { current: isCurrent, ageMs: Math.round(reference.ageMs()) },
        queue: { requests: core.engine.depth.requests, jobs: core.engine.depth.jobs },
      },
    };
  };
}

function inTime(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), checkMaxMs);
  return Promise.race([check, promise]).finally(() => clearTimeout(timer));
}
