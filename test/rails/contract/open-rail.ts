/** Opens a rail under test, in this process or in another: what it needs to know is a plan that can be sent. */
import { join } from "node:path";
import { type Clock, createClock, type MovableClock } from "../../../packages/server/src/basics/clock.ts";
import { railRecords } from "../../../packages/server/src/compose/rails/rail-records.ts";
import { minor } from "../../../packages/server/src/ledger/money.ts";
import type { RailName, RailTerms } from "../../../packages/server/src/ledger/rails/terms.ts";
import { createLog } from "../../../packages/server/src/observability/log.ts";
import { createFileRail } from "../../../packages/rail-files/src/file-rail.ts";
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import type { RailRecords } from "../../../packages/server/src/rails/rail-records.ts";
import { createSimulatedRails, type SimulatedControl } from "../../../packages/sandbox/src/rails/simulated-rails.ts";
import { createAdminPool, createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";

export interface SimulatedPlan {
  readonly kind: "simulated";
  readonly name: RailName;
  /** Address of the database. */
  readonly url: string;
}

export interface FilePlan {
  readonly kind: "file";
  readonly name: RailName;
  readonly directory: string;
  /** Address of the database. */
  readonly url: string;
  /** Its process stops itself (SIGSTOP) between the commit of its first sequence and the line. */
  readonly stopsBeforeLine?: boolean;
}

export type RailPlan = SimulatedPlan | FilePlan;

const terms = (name: RailName, settlements?: readonly number[]): RailTerms => ({
  name,
  currency: "IDR",
  min: minor(1n),
  fee: minor(0n),
  sharedFeeMax: minor(0n),
  ...(settlements === undefined ? {} : { settlements }),
});

/** Settlements of skn at 09:00 and 16:00 in Jakarta, on working days; 2026-11-24 is none. */
const railData = {
  rails: { interbank: terms("interbank"), rtgs: terms("rtgs"), skn: terms("skn", [540, 960]) },
  holidays: new Set(["2026-11-24"]),
};

export interface OpenSimulated {
  readonly rails: Readonly<Record<RailName, Rail>>;
  readonly control: SimulatedControl;
  readonly clock: MovableClock;
  close(): Promise<void>;
}

/** One node's rails on the database. */
export function openSimulated(url: string, clock: MovableClock = createClock()): OpenSimulated {
  const database = createAdminPool(url, 4);
  const reads = createReadPool(url, 4);
  const { rails, control } = createSimulatedRails({ database, reads, clock, data: () => railData });
  const close = async () => {
    await Promise.all(Object.values(rails).map((rail) => rail.close()));
    await Promise.all([database.end(), reads.end()]);
  };
  return { rails, control, clock, close };
}

/** A rail of the plan; closing it gives back everything that was opened for it. */
export async function openRail(plan: RailPlan): Promise<Rail> {
  if (plan.kind === "file") return openFileRail(plan);
  const opened = openSimulated(plan.url);
  return withClose(opened.rails[plan.name], opened.close);
}

export interface FileRailTerms {
  /** Gets what it logs. */
  readonly lines?: string[];
  readonly clock?: Clock;
  /** True for a node that was started for inquiries alone. */
  readonly readsOnly?: boolean;
}

/** One node's rail, with connections of its own. */
export async function openFileRail(
  { name, directory, url, stopsBeforeLine = false }: Omit<FilePlan, "kind">,
  { lines = [], clock = createClock(), readsOnly = false }: FileRailTerms = {},
): Promise<Rail> {
  const log = createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const adminPool = createAdminPool(url, 4);
  const pool = createReadPool(url, 2);
  const kept = railRecords({ cell: 0, pool, adminPool, clock }, name);
  const records = stopsBeforeLine ? stoppingBeforeLine(kept) : kept;
  const rail = await createFileRail({
    name,
    directory,
    beneficiaries: join(directory, "beneficiaries.jsonl"),
    log,
    clock,
    records,
    exports: !readsOnly,
    readsOnly: () => readsOnly,
  });
  return withClose(rail, async () => {
    await rail.close();
    if (!adminPool.ended) await Promise.all([adminPool.end(), pool.end()]);
  });
}

function stoppingBeforeLine(records: RailRecords): RailRecords {
  return {
    ...records,
    takeLease: async (forMs) => {
      const lease = await records.takeLease(forMs);
      return (
        lease && {
          ...lease,
          assign: async (behind, at) => {
            const assigned = await lease.assign(behind, at);
            if (assigned.rows.length > 0) process.kill(process.pid, "SIGSTOP");
            return assigned;
          },
        }
      );
    },
  };
}

export function withClose(rail: Rail, close: () => Promise<void>): Rail {
  return { ...rail, close };
}
