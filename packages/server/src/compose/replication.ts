/** Watch of the node's database server: whether it answers, and whether its commits reach the standbys. */
import type { Clock } from "../basics/clock.ts";
import { limitRate } from "../observability/limit-rate.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { PartnerShares } from "../operations/partner-shares.ts";
import { createProbePool, cutConnections, type StatementPool } from "../store/postgres/connect.ts";
import { type Confirmations, createConfirmations } from "../store/postgres/confirmation/confirmations.ts";
import { isForOperators, isOutOfResources, isPoolUsedUp } from "../store/postgres/database-away.ts";
import { readReplication } from "../store/postgres/confirmation/replication.ts";
import { openSession } from "../store/postgres/session.ts";
import type { DatabaseFaults } from "./observe/database-faults.ts";

export interface ReplicationWatch extends AsyncDisposable {
  readonly confirmations: Confirmations;
  /** Ends the pool's connections, too, when the server is lost. */
  cutWithServer(pool: StatementPool): void;
  /** True when the server answers. */
  answers(): Promise<boolean>;
  /** True when a commit was confirmed in the last 3 s, or need not be. */
  isConfirmed(): boolean;
}

interface Deps {
  readonly url: string;
  /** No read is answered while commits wait for no standby. */
  readonly requiresStandby: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
}

const askEveryMs = 1_000;
/** A commit each second, and the longest that one may take. */
const confirmedMaxMs = 3_000;

/** @throws when the database cannot be reached. */
export async function watchReplication(deps: Deps): Promise<ReplicationWatch> {
  const { url, clock, requiresStandby } = deps;
  const pools = new Set<StatementPool>();
  const probe = createProbePool(url);
  pools.add(probe);
  const confirmations = await createConfirmations({
    open: (watch) => openSession(url, "titian confirmations", { watch, requiresStandby }),
    requiresStandby,
    clock,
    onServerLost: () => {
      for (const pool of pools) cutConnections(pool);
    },
    onUnconfirmed: observeUnconfirmed(deps),
  });
  observeReplication(deps, confirmations);

  const ask = joined(async () => {
    try {
      confirmations.learn(await readReplication(probe));
      return true;
    } catch {
      return false;
    }
  });
  const useSession = joined(() => confirmations.useSession().catch(() => undefined));
  const timer = setInterval(() => {
    void ask();
    void useSession();
  }, askEveryMs);
  timer.unref();
  return {
    confirmations,
    cutWithServer: (pool) => void pools.add(pool),
    answers: ask,
    isConfirmed: () =>
      confirmations.replication?.isSynchronous === false || confirmations.confirmedAgoMs() <= confirmedMaxMs,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await confirmations.close();
      await probe.end();
    },
  };
}

/** While one is under way, others get its result. */
function joined<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/** Gives what was read or written once nothing of it can be lost any more, also where that is nothing; at once without a standby. */
export function confirmedBy(replication: ReplicationWatch | undefined) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!replication) return work();
    const { result } = await replication.confirmations.confirmed(async () => ({ result: await work() }));
    return result;
  };
}

/** Reads whose results are given once they are confirmed; none, as where too many wait, when PostgreSQL cannot read now. */
export function confirmedShares(
  shares: PartnerShares,
  { confirmed }: Confirmations,
  { unavailable }: Pick<DatabaseFaults, "unavailable">,
): PartnerShares {
  return {
    ...shares,
    run: async (partner, work) => {
      try {
        // The wait for the confirmation keeps no connection, so it takes no share.
        return await confirmed(() => shares.run(partner, work));
      } catch (error) {
        if (!isOutOfResources(error) && !isForOperators(error) && !isPoolUsedUp(error)) throw error;
        unavailable(error);
        return undefined;
      }
    },
  };
}

function observeUnconfirmed({ clock, metrics, log }: Deps): () => void {
  let reads = 0;
  const help = "Reads answered 500xx00 because no commit after them was confirmed by a synchronous standby.";
  metrics.counter({ name: "titian_reads_unconfirmed_total", help }, () => reads);
  const warn = limitRate(clock, (count) => {
    const message = "No synchronous standby confirms commits: what is read is not answered.";
    log.warn("database.unconfirmed", message, { count });
  });
  return () => {
    reads += 1;
    warn();
  };
}

function observeReplication({ metrics }: Deps, confirmations: Confirmations): void {
  const standbys = {
    name: "titian_database_standbys",
    help: "Standbys connected to the database, synchronous or not.",
  };
  metrics.gauge(standbys, () => {
    const { replication } = confirmations;
    return replication ? replication.standbys : [];
  });
  const age = {
    name: "titian_confirmation_age_seconds",
    help: "Time since a synchronous standby confirmed a commit of this node; no sample where commits wait for none.",
  };
  metrics.gauge(age, () =>
    confirmations.replication?.isSynchronous === false ? [] : confirmations.confirmedAgoMs() / 1_000,
  );
}
