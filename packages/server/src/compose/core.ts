/** Base of every use of the ledger: database, reads, reference data, engine. The service and the CLI stand on it. */
import type { AccountNumbers } from "../admin/accounts/account-number.ts";
import { findCellFault, findHomeFaults } from "../admin/cells/check-cells.ts";
import { loadRailData } from "../admin/rail-data/rail-data.ts";
import { createReferenceData, type ReferenceData } from "../admin/reference/reference-data.ts";
import type { MovableClock } from "../basics/clock.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { CellAddress } from "../basics/cell-address.ts";
import { createMetrics, type Metrics, type MetricsRegistry } from "../observability/metrics.ts";
import { createEngine } from "../engine/engine.ts";
import type { ClockCheck } from "../jobs/clock-check.ts";
import type { RailData, RailName } from "../ledger/rails/terms.ts";
import type { RailRecords } from "../rails/rail-records.ts";
import { type Log, logOfCell } from "../observability/log.ts";
import type { Secrets } from "../basics/secrets.ts";
import { createReads, type Reads } from "../store/reads/reads.ts";
import type { Environment } from "../store/reference/environment.ts";
import { requireStandby } from "../store/postgres/required-standby.ts";
import { type Engines, openChecked, startEngines } from "./cells/engines.ts";
import { openPools, openReferencePool, type Pools, type PoolSizes, poolSizes } from "./cells/pools.ts";
import { createShares, type Shares } from "./cells/shares.ts";
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

/** Parts that all cells of a node have in common: they are home's. */
interface Common extends NotificationAddresses {
  readonly reference: ReferenceData;
  /** Quotas of what is stored of partners. */
  readonly storedQuotas: StoredQuotas;
  /** Metrics of the whole node. */
  readonly nodeMetrics: MetricsRegistry;
  /** Address of home's database. */
  readonly homeUrl: string;
}

/** A cell as this node uses it: its database, and what works on it. */
export interface Core extends CoreDeps, Common, Pools, Shares, Engines, AsyncDisposable {
  /** Number of the cell: 0 is home, and the only one where there are no others. */
  readonly cell: number;
  readonly database: Database;
  /** Metrics of the cell. */
  readonly metrics: Metrics;
  readonly reads: Reads;
  readonly clockCheck: ClockCheck;
  /** Replication of a service's database; a command is a node for a moment and asks nothing. */
  readonly replication: ReplicationWatch | undefined;
  readonly onUnconfirmedClaim: OnUnconfirmedClaim;
  readonly faults: DatabaseFaults;
  readonly mode: Mode;
  /** Account numbers of the cell. */
  readonly numbers: AccountNumbers;
  /** Records that the database keeps for a rail with one writer. */
  railRecords(rail: RailName): RailRecords;
}

/** Starts home. In the order of need; disposing ends in the reverse order, also when a later step fails. */
export async function startCore(deps: CoreDeps): Promise<Core> {
  await using stack = new AsyncDisposableStack();
  const { cells, railFiles, bankCode } = deps.config;
  // Before a database is opened or made.
  const rails = loadRailData({ files: railFiles, ownBankCode: bankCode });
  const nodeMetrics = createMetrics({ byCell: cells.length > 0 });
  const opened = await openCell(deps, { cell: 0, metrics: nodeMetrics.ofCell(0), stack });
  if (deps.environment) rejectFaults(await findHomeFaults(opened.adminPool, cells));
  const common = await startCommon(deps, rails, opened, nodeMetrics, stack);
  return await finish(deps, opened, common, stack.move());
}

/** Starts a further cell beside home. @throws when its database cannot be used; ConfigError when it is another one. */
export async function startCellCore(home: Core, address: CellAddress): Promise<Core> {
  const { number: cell, url } = address;
  await using stack = new AsyncDisposableStack();
  const deps: CoreDeps = {
    config: { ...home.config, databaseUrl: url },
    ...(home.environment && { environment: home.environment }),
    clock: home.clock,
    log: logOfCell(home.log, cell),
    secrets: home.secrets,
    onProgress: home.onProgress,
    onDatabaseFailure: home.onDatabaseFailure,
    administrationUrl: home.environment === "sandbox" ? address.administrationUrl : undefined,
  };
  const opened = await openCell(deps, { cell, metrics: home.nodeMetrics.ofCell(cell), stack });
  const fault = await findCellFault(home.adminPool, opened.adminPool, address);
  rejectFaults(fault === undefined ? [] : [fault]);
  return await finish(deps, opened, home, stack.move());
}

function rejectFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigError(faults);
}

interface Opening {
  readonly cell: number;
  readonly metrics: Metrics;
  readonly stack: AsyncDisposableStack;
}

interface Opened extends Pools, Pick<Core, "cell" | "metrics" | "database" | "replication" | "faults"> {
  readonly sizes: PoolSizes;
}

/** Its database, and connections to it. */
async function openCell(deps: CoreDeps, { cell, metrics, stack }: Opening): Promise<Opened> {
  const { config, clock, log } = deps;
  const database = await openDatabase({ ...deps, onFailure: deps.onDatabaseFailure });
  stack.defer(() => database.stop());
  const requiresStandby = config.synchronous === "required";
  const watched = { url: database.url, requiresStandby, clock, metrics, log };
  const replication = deps.environment === undefined ? undefined : stack.use(await watchReplication(watched));
  const sizes = poolSizes(1 + config.cells.length);
  const pools = openPools(database, sizes, replication, stack);
  if (requiresStandby) requireStandby(pools.adminPool);
  const faults = createDatabaseFaults({ clock, metrics, log });
  return { cell, metrics, database, replication, sizes, faults, ...pools };
}

/** Time for which other cells go on while home does not answer: nobody can be suspended there meanwhile, but by a node that reaches it. */
const staleAfterWithCellsMs = 300_000;

async function startCommon(
  deps: CoreDeps,
  rails: RailData,
  { database, replication, pool }: Opened,
  nodeMetrics: MetricsRegistry,
  stack: AsyncDisposableStack,
): Promise<Common> {
  const { config, clock, log, secrets, onProgress, merchants = true } = deps;
  const { idempotencyWindowMs, holdEventsMax, paymentRequests } = config;
  const reference = await createReferenceData({
    reads: openReferencePool(database, replication, stack),
    secrets,
    clock,
    log,
    ...(config.cells.length > 0 && { staleAfterMs: staleAfterWithCellsMs }),
    terms: { idempotencyWindowMs, holdEventsMax, paymentRequests, rails },
    onProgress,
    merchants,
  });
  stack.defer(() => reference.close());
  observeReference(nodeMetrics, reference);
  const storedQuotas = createObservedQuotas({ config, clock, metrics: nodeMetrics, log, partners: reference });
  return { reference, storedQuotas, nodeMetrics, homeUrl: database.url, ...(await findAddressRules(deps, pool)) };
}

/** Engines of an opened cell, and what stands on them. */
async function finish(
  deps: CoreDeps,
  { sizes, ...opened }: Opened,
  { reference, storedQuotas, nodeMetrics, homeUrl, addressGuard, checkAddress }: Common,
  owned: AsyncDisposableStack,
): Promise<Core> {
  await using stack = owned.move();
  const { config, clock, log } = deps;
  const { metrics, faults, database, replication, pool, adminPool } = opened;
  const events = { ...createEngineEvents({ metrics, log, faults, clock }), rejectionStored: storedQuotas.addRejection };
  const engines = await startEngines(deps, stack, (name) =>
    createEngine({
      open: openChecked(database, name, deps, replication?.confirmations.watch),
      clock,
      reference: () => reference.current(),
      events,
    }),
  );
  const shares = createShares(config, sizes, (plain) =>
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
    ...opened,
    ...shares,
    ...engines,
    reference,
    storedQuotas,
    nodeMetrics,
    homeUrl,
    addressGuard,
    checkAddress,
    reads: createReads(pool),
    onUnconfirmedClaim: observeClaims({ metrics, log, clock }),
    numbers: {
      cell: opened.cell,
      ranges: config.cells.find(({ number }) => number === opened.cell)?.ranges ?? [],
      cellOf: (accountNo: string) => reference.current().directory.cellOf(accountNo),
      partnerOf: (key: string) => reference.current().partners.get(key),
    },
    mode: createMode({ cell: opened.cell, config, metrics, log, adminPool }),
    railRecords: (rail: RailName) => railRecords({ cell: opened.cell, pool, adminPool, clock }, rail),
  };
  const clockCheck = checkClock(core);
  const parts = stack.move();
  return { ...core, clockCheck, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
