/** Readiness of this node for calls, and what was looked at (`GET /health/ready`). */
import type { Readiness } from "../edge/pages/health.ts";
import type { Core } from "./core.ts";
import type { Mode } from "./mode.ts";

/** Time that a check may take: a database that is silent is not reachable. */
const checkMaxMs = 1_000;

/** A further cell of the node; without a core while it is not served. */
export interface CellState {
  readonly cell: number;
  readonly core: Core | undefined;
}

/**
 * The given test says whether the node is going down: a load balancer must then send calls elsewhere. With several cells one that
 * works is enough: calls of the others are answered 503xx00.
 */
export function createReadiness(
  core: Core,
  isStopping: () => boolean,
  further: () => readonly CellState[] = () => [],
): () => Promise<Readiness> {
  return async () => {
    const { reference, mode } = core;
    const isCurrent = !reference.isStale();
    const [home, ...others] = await Promise.all([checkCell(core), ...further().map(checkFurther)]);
    const isSomeFit = home.isFit || others.some(({ ready }) => ready);
    return {
      ready: isSomeFit && isCurrent && !isStopping(),
      checks: {
        ...modeOf(mode),
        stopping: isStopping(),
        ...home.checks,
        referenceData: { current: isCurrent, ageMs: Math.round(reference.ageMs()) },
        ...(others.length > 0 && { cells: [{ cell: core.cell, ready: home.isFit }, ...others] }),
      },
    };
  };
}

async function checkFurther({ cell, core }: CellState) {
  if (!core) return { cell, ready: false };
  const { isFit, checks } = await checkCell(core);
  return { cell, ready: isFit, ...modeOf(core.mode), ...checks };
}

function modeOf(mode: Mode) {
  return {
    mode: mode.isInquiriesOnly() ? "inquiries-only" : "normal",
    modeReason: mode.reason() ?? null,
    stoppedRails: mode.stoppedRails().map(({ rail, because }) => ({ rail, because })),
  };
}

async function checkCell({ replication, clockCheck, database, config, faults, engine }: Core) {
  const reachable = replication !== undefined && (await inTime(replication.answers()));
  const agrees = reachable && (await inTime(clockCheck.agrees().catch(() => false)));
  const { isSynchronous = null, standbys = null } = replication?.confirmations.replication ?? {};
  const isConfirmed = replication?.isConfirmed() ?? false;
  const fault = faults.current();
  const isWithoutFault = fault.unavailable === null && fault.lockedTable === null;
  const isAsRequired = config.synchronous === "optional" || isSynchronous === true;
  const { version, faults: unsafe } = database;
  return {
    isFit: reachable && isWithoutFault && isConfirmed && isAsRequired && agrees,
    checks: {
      database: { reachable, version, unsafe, ...fault },
      replication: {
        confirmed: isConfirmed,
        synchronous: isSynchronous,
        required: config.synchronous === "required",
        standbys,
      },
      clock: { agrees, differenceMs: clockCheck.differenceMs() ?? null },
      queue: { requests: engine.depth.requests, jobs: engine.depth.jobs },
    },
  };
}

function inTime(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), checkMaxMs);
  return Promise.race([check, promise]).finally(() => clearTimeout(timer));
}
