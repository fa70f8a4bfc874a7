/** Base of every use of the ledger: database, reads, reference data, engine. The service and the CLI stand on it. */
import { loadRailData } from "../admin/rail-data/rail-data.ts";
import { createReferenceData, type ReferenceData } from "../admin/reference/reference-data.ts";
import type { MovableClock } from "../basics/clock.ts";
import type { Config } from "../config/config.ts";
import { createMetrics, type MetricsRegistry } from "../observability/metrics.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { ClockCheck } from "../jobs/clock-check.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { RailRecords } from "../rails/rail-records.ts";
import type { Log } from "../observability/log.ts";
import type { Secrets } from "../basics/secrets.ts";
import { createPartnerShares, type ShareLimits, type PartnerShares } from "../operations/partner-shares.ts";
import { createAdminPool, createReadPool, type StatementPool } from "../store/postgres/connect.ts";
import { createReads, type Reads } from "../store/reads/reads.ts";
import type { Environment } from "../store/reference/environment.ts";
import { confirmReplication } from "../store/postgres/confirmation/confirm.ts";
import { requireStandby } from "../store/postgres/required-standby.ts";
import { type OpenSession, openSession, type SessionWatch } from "../store/postgres/session.ts";
import { type Database, openDatabase, type StartDatabase } from "./database.ts";
import { createDatabaseFaults, type DatabaseFaults } from "./observe/database-faults.ts";
import { findAddressRules, type NotificationAddresses } from "./notifications/notification-addresses.ts";
import { createObservedQuotas } from "./observe/observe-quotas.ts";
import type { StoredQuotas } from "../edge/checks/stored-quotas.ts";
import { observeClaims, type OnUnconfirmedClaim } from "./observe/observe-claims.ts";
import { checkClock } from "./observe/observe-clock.ts";
import { observeReference } from "./observe/observe-reference.ts";
import { createEngineEvents, observeQueues } from "./observe/observe-engine.ts";
import { createMode, type Mode } from "./mode.ts";
import { railRecords } from "./rails/rail-records.ts";
import { confirmedShares, type ReplicationWatch, watchReplication } from "./replication.ts";

export interface CoreDeps {
  readonly config: Config;
  readonly clock: MovableClock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly onProgress: (text: string) => void;
  /** Used without `DATABASE_URL`. */
  readonly startDatabase?: StartDatabase | undefined;
  /** Called while a database of the program's own starts. */
  readonly onDatabaseStarting?: (() => void) | undefined;
  /** Kind of the service that starts; absent for a command that works on either kind of database. */
  readonly environment?: Environment;
  readonly onDatabaseFailure: (error: Error) => void;
  /** Address to which administration connects, beside a `DATABASE_URL`; absent: as the service does. */
  readonly administrationUrl?: string | undefined;
  /** True: reference data has the merchants; a service's must. Absent: true. */
  readonly merchants?: boolean;
}

export interface Core extends CoreDeps, NotificationAddresses, AsyncDisposable {
  readonly database: Database;
  readonly metrics: MetricsRegistry;
  /** Connections for plain reads. */
  readonly pool: StatementPool;
  /** Connections for plain statements of the service: customers' tokens, jobs that clean up. */
  readonly adminPool: StatementPool;
  /** Connections for administration, which writes what the service only reads. */
  readonly administrationPool: StatementPool;
  readonly reads: Reads;
  /** Turns of a service's reads, which are confirmed. */
  readonly readShares: PartnerShares;
  /** Turns of calls that ask a rail about an account (16): none of them keeps a connection. */
  readonly inquiryShares: PartnerShares;
  /** Turns of calls that ask for a customer's token: on the connections of administration, and never on all of them. */
  readonly grantShares: PartnerShares;
  /** Turns of bulks that are read and written. */
  readonly bulkShares: PartnerShares;
  readonly reference: ReferenceData;
  /** Quotas of what is stored of partners. */
  readonly storedQuotas: StoredQuotas;
  readonly engine: Engine;
  /**
   * Carries out operators' acts: one whose transaction holds the chain of acts delays those, and no batch of payments. A command
   * has one engine for all.
   */
  readonly actEngine: Engine;
  readonly clockCheck: ClockCheck;
  /** Replication of a service's database; a command is a node for a moment and asks nothing. */
  readonly replication: ReplicationWatch | undefined;
  readonly onUnconfirmedClaim: OnUnconfirmedClaim;
  readonly faults: DatabaseFaults;
  readonly mode: Mode;
  /** Records that the database keeps for a rail with one writer. */
  railRecords(rail: RailName): RailRecords;
}

const readConnections = 10;
const readLimits: ShareLimits = {
  running: readConnections,
  runningOfOnePartner: readConnections / 2,
  waiting: 2_048,
  waitingOfOnePartner: 1_024,
};
const inquiryLimits: ShareLimits = {
  running: 64,
  runningOfOnePartner: 32,
  waiting: 512,
  waitingOfOnePartner: 256,
};
const adminConnections = 4;
const administrationConnections = 2;
const grantLimits: ShareLimits = {
  running: adminConnections / 2,
  runningOfOnePartner: adminConnections / 4,
  waiting: 256,
  waitingOfOnePartner: 128,
};

/** Limits of bulks: one of a partner is written while another is read; a third is another partner's. */
function bulkLimits({ bulksMax, partnerBulksMax }: Config): ShareLimits {
  return {
    running: 3,
    runningOfOnePartner: 2,
    waiting: Math.max(1, bulksMax - 3),
    waitingOfOnePartner: Math.max(1, partnerBulksMax - 2),
  };
}

/** Starts in the order of need; disposing ends in the reverse order, also when a later step fails. */
export async function startCore(deps: CoreDeps): Promise<Core> {
  await using stack = new AsyncDisposableStack();
  const { config, clock, log, secrets } = deps;
  const { idempotencyWindowMs, holdEventsMax, paymentRequests, railFiles, bankCode } = config;
  const rails = loadRailData({ files: railFiles, ownBankCode: bankCode });
  const database = await openDatabase({ ...deps, onFailure: deps.onDatabaseFailure });
  stack.defer(() => database.stop());
  const metrics = createMetrics();
  const { url } = database;
  const requiresStandby = config.synchronous === "required";
  const watched = { url, requiresStandby, clock, metrics, log };
  const replication = deps.environment === undefined ? undefined : stack.use(await watchReplication(watched));
  const { pool, adminPool, administrationPool, referencePool } = openPools(database, replication, stack);
  if (requiresStandby) requireStandby(adminPool);
  const terms = { idempotencyWindowMs, holdEventsMax, paymentRequests, rails };
  const { onProgress, merchants = true } = deps;
  const reference = await createReferenceData({
    reads: referencePool,
    secrets,
    clock,
    log,
    terms,
    onProgress,
    merchants,
  });
  stack.defer(() => reference.close());
  observeReference(metrics, reference);
  const faults = createDatabaseFaults({ clock, metrics, log });
  const storedQuotas = createObservedQuotas({ config, clock, metrics, log, partners: reference });
  const events = { ...createEngineEvents({ metrics, log, faults, clock }), rejectionStored: storedQuotas.addRejection };
  const engines = await startEngines(deps, stack, (name) =>
    createEngine({
      open: openChecked(database, name, deps, replication?.confirmations.watch),
      clock,
      reference: () => reference.current(),
      events,
    }),
  );
  const shares = createShares(config, (plain) =>
    replication ? confirmedShares(plain, replication.confirmations, faults) : plain,
  );
  observeQueues(metrics, engines.engine, {
    reads: shares.readShares,
    inquiries: shares.inquiryShares,
    token_grants: shares.grantShares,
    bulks: shares.bulkShares,
  });
  const core = {
    ...deps,
    ...(await findAddressRules(deps, pool)),
    database,
    metrics,
    pool,
    adminPool,
    administrationPool,
    reads: createReads(pool),
    ...shares,
    reference,
    ...engines,
    storedQuotas,
    replication,
    onUnconfirmedClaim: observeClaims({ metrics, log, clock }),
    faults,
    mode: createMode({ config, metrics, log, adminPool }),
    railRecords: (rail: RailName) => railRecords({ pool, adminPool, clock }, rail),
  };
  const clockCheck = checkClock(core);
  const owned = stack.move();
  return { ...core, clockCheck, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function createShares(config: Config, confirmed: (plain: PartnerShares) => PartnerShares) {
  return {
    readShares: confirmed(createPartnerShares(readLimits)),
    inquiryShares: createPartnerShares(inquiryLimits),
    grantShares: createPartnerShares(grantLimits),
    bulkShares: createPartnerShares(bulkLimits(config)),
  };
}

async function startEngines(
  { environment }: Pick<CoreDeps, "environment">,
  stack: AsyncDisposableStack,
  start: (name: string) => Promise<Engine>,
) {
  const open = async (name: string) => {
    const engine = await start(name);
    stack.defer(() => engine.close());
    return engine;
  };
  // At once; one that has opened is closed with the rest where the other fails.
  const opening = [open("titian engine"), ...(environment === undefined ? [] : [open("titian acts")])] as const;
  await Promise.allSettled(opening);
  const [engine, actEngine = engine] = await Promise.all(opening);
  return { engine, actEngine };
}

/** Each ends all its connections when the server is lost. */
function openPools(
  { url, administrationUrl }: Database,
  replication: ReplicationWatch | undefined,
  stack: AsyncDisposableStack,
) {
  const own = (pool: StatementPool) => {
    stack.defer(() => pool.end());
    replication?.cutWithServer(pool);
    return pool;
  };
  const adminPool = own(createAdminPool(url, adminConnections));
  return {
    pool: own(createReadPool(url, readConnections, replication?.confirmations.checkServer)),
    adminPool,
    // A command has one role for all it does, and so has a production node; a sandbox has one more for its control calls.
    administrationPool:
      administrationUrl === url ? adminPool : own(createAdminPool(administrationUrl, administrationConnections)),
    // A connection of its own: callers' reads, however many, must not keep a suspension from being heard of.
    referencePool: own(createReadPool(url, 1)),
  };
}

/**
 * The first connection follows the check at start; every later one a check of its own. What was committed before without
 * a response, by an earlier connection or by this node before it was restarted, has to be sure before a service answers
 * from it. A command that is one node more for a moment does not wait for that: what it writes waits itself.
 */
function openChecked(
  database: Database,
  name: string,
  { log, environment, config }: CoreDeps,
  watch: SessionWatch | undefined,
): OpenSession {
  let isFirst = true;
  let told: string | undefined;
  const requiresStandby = config.synchronous === "required";
  const open = () => openSession(database.url, name, { watch, requiresStandby });
  return async () => {
    const isStart = isFirst;
    isFirst = false;
    if (isStart && environment === undefined) return open();
    try {
      if (!isStart) await database.checkAgain();
      const session = await open();
      await confirmReplication(session).catch(async (error: unknown) => {
        await session.close();
        throw error;
      });
      told = undefined;
      return session;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // Tried several times a second: each reason is told once.
      if (reason !== told) log.warn("database.unavailable", "The database cannot be used.", { error });
      told = reason;
      throw error;
    }
  };
}
