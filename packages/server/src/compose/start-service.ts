/** The only place that wires everything: from a configuration to a service that listens. */
import { setTimeout as sleep } from "node:timers/promises";
import { createCustomerGrants } from "../admin/grants/customer-grants.ts";
import { createClock } from "../basics/clock.ts";
import { createAccessTokens } from "./access-tokens.ts";
import type { Noun } from "@titian/contract";
import { hideSecrets } from "@titian/explain";
import { type NodeCells, startCells } from "./cells/node-cells.ts";
import type { CellService } from "./cells/serve-cell.ts";
import { type Core, startCore } from "./core.ts";
import type { StartDatabase } from "./database.ts";
import type { Extension, StartedExtension } from "./extension.ts";
import { keepCalls, type KeptCalls, observeBy } from "./keep-calls.ts";
import { limitOutageLines } from "./observe/limit-outage-lines.ts";
import { createSender } from "./notifications/notification-sender.ts";
import { checkNames, type OwnRails } from "./rails/rails.ts";
import { observeHolidays } from "./observe/observe-holidays.ts";
import { createReadiness } from "./readiness.ts";
import { checkStart } from "./start/check-start.ts";
import { startSecurityLog, type StartedSecurityLog } from "./security/start-security-log.ts";
import { watchSealingKey } from "./observe/watch-sealing-key.ts";
import { watchSwitches } from "./observe/watch-switches.ts";
import type { WorkerGroup } from "./workers/join-workers.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Edge } from "../edge/create-edge.ts";
import type { Log } from "../observability/log.ts";
import { createSecrets, type MasterKeys, type Secrets } from "../basics/secrets.ts";

export interface ServiceDeps {
  readonly config: Config;
  readonly log: Log;
  /** Gets the steps of a start that take seconds, as texts for a person. */
  readonly onProgress: (text: string) => void;
  /** Rails that an embedding program connects itself, and closes after the service (docs/reference/rails.md). */
  readonly rails?: OwnRails;
  /** Used without `DATABASE_URL`, such as `startEmbeddedPostgres` of `@titian/embedded-postgres`. */
  readonly startDatabase?: StartDatabase;
  readonly extension?: Extension;
  /** The workers of the same node, if this process is one of them: `joinWorkers` of `@titian/server/workers`. */
  readonly group?: WorkerGroup;
}

export interface Service {
  readonly baseUrl: string;
  /** Where metrics, health and documentation are. */
  readonly managementUrl: string;
  /** Says on `/health/ready` that it stops, and after the delay of the settings takes no new call, finishes those it took, ends the database if it is ours. Further calls wait for the same end. */
  close(options?: CloseOptions): Promise<void>;
  /** Resolves when the service can no longer work and should be ended; never otherwise. */
  readonly failed: Promise<Error>;
  /** For a program that watches more closely than `/metrics` is asked. */
  load(): ServiceLoad;
}

interface CloseOptions {
  /** Stops without the delay: no load balancer has to learn of it. */
  readonly skipsDelay?: boolean;
}

/** Load of this node: work that waits or is under way now. All of it is bounded (spec D17). */
export interface ServiceLoad {
  /** Queued commands of requests. */
  readonly requests: number;
  /** Queued commands of jobs, such as results of rails. */
  readonly jobs: number;
  /** Transfers being submitted to rails, until the response is recorded. */
  readonly transfersInFlight: number;
}

/** @throws when a setting, the database, or the address to listen on cannot be used. */
export async function startService(deps: ServiceDeps): Promise<Service> {
  const { log, onProgress, rails: ownRails = {}, startDatabase, extension, group } = deps;
  checkSandbox(deps.config, extension);
  checkNames(ownRails);
  warnOfIgnored(deps);
  const config = await checkStart(deps);
  await using stack = new AsyncDisposableStack();
  const failed = Promise.withResolvers<Error>();
  const clock = createClock();
  const opened = stack.use(await extension?.open?.());
  const secrets = createSecrets(masterKeysOf(config, opened?.masterKeys));
  const core = stack.use(
    await startCore({
      config,
      environment: config.sandbox ? "sandbox" : "production",
      clock,
      log,
      secrets,
      onProgress,
      startDatabase,
      onDatabaseStarting: () => loadMeanwhile(extension),
      onDatabaseFailure: failed.resolve,
      administrationUrl: config.sandbox ? (config.administrationUrl ?? opened?.administrationUrl) : undefined,
    }),
  );
  stack.use(await watchSealingKey(core));
  const shared = stack.use(await extension?.connectSharedRails?.(core, ownRails));
  const sharedRails = { ...shared?.rails, ...ownRails };
  checkNames(sharedRails);
  const providerKey = config.providerKey ?? opened?.providerKey;
  if (providerKey === undefined) throw new Error("TITIAN_PROVIDER_KEY is required outside the sandbox.");
  const sender = stack.use(createSender(core, providerKey));
  const kept = keepCalls(core, config);
  const security = stack.use(await startSecurityLog(core, kept, group !== undefined));
  const connectRails = async (cell: Core) => extension?.connectCellRails?.(cell, ownRails);
  const moreJobs = [kept.job, ...(security?.jobs ?? [])];
  const parts = { sender, sharedRails, connectRails, moreJobs, onBroken: failed.resolve };
  const cells = stack.use(await startCells(core, parts));
  stack.use(watchSwitches(core, cells));
  const extended = stack.use(
    await extension?.start?.({ core, cells, handlers: cells.handlers, security: security?.log }),
  );
  // Not earlier: the extension may have moved the clock.
  observeHolidays(core);

  let stopping = false;
  const edge = await openEdge(core, { cells, secrets, extended, group, kept, security, isStopping: () => stopping });
  stack.defer(() => edge.close());
  for (const [prefix, routes] of Object.entries(extended?.routes ?? {})) edge.mount(prefix, routes);
  for (const [prefix, routes] of Object.entries(extended?.managementRoutes ?? {}))
    edge.mountOnManagement(prefix, routes);
  const { baseUrl, managementUrl } = await edge.listen(config.port, config.host);
  extended?.onListening(baseUrl);
  group?.ready({ baseUrl, managementUrl });
  onProgress("Ready");

  const owned = stack.move();
  /** Reports not ready first, so that a load balancer sends calls elsewhere before this node stops. */
  const close = onceOnly(async ({ skipsDelay = false }: CloseOptions) => {
    stopping = true;
    extended?.onStopping?.();
    edge.refreshHealth();
    if (!skipsDelay) await sleep(config.shutdownDelayMs);
    await owned.disposeAsync();
  });
  return { baseUrl, managementUrl, close, failed: failed.promise, load: () => loadOf(cells.all()) };
}

/** Further calls wait for the end of the first. */
function onceOnly(stop: (options: CloseOptions) => Promise<void>): Service["close"] {
  let closed: Promise<void> | undefined;
  return (options = {}) => {
    closed ??= stop(options);
    return closed;
  };
}

interface EdgeParts {
  readonly cells: NodeCells;
  readonly secrets: Secrets;
  readonly extended: StartedExtension | undefined;
  readonly group: WorkerGroup | undefined;
  readonly kept: KeptCalls;
  readonly security: StartedSecurityLog | undefined;
  isStopping(): boolean;
}

const loadEdge = () => import("../edge/create-edge.ts");

/** Modules that a start needs last. One that cannot be loaded fails where it is used. */
function loadMeanwhile(extension: Extension | undefined): void {
  void Promise.allSettled([loadEdge(), extension?.load?.()]);
}

async function openEdge(core: Core, parts: EdgeParts): Promise<Edge> {
  const { cells, secrets, extended, group, kept, security, isStopping } = parts;
  const { config, clock, log, nodeMetrics: metrics, reference } = core;
  const readiness = createReadiness(core, isStopping, cells.further);
  const { createEdge } = await loadEdge();
  const edge = await createEdge({
    settings: config,
    clock,
    log: limitOutageLines(log, clock),
    hideSecrets: (text) => hideSecrets(text, kept.secretFinder()),
    // With several workers any of them is asked, for all.
    metrics: group ? { ...metrics, render: group.metrics } : metrics,
    readiness: group?.readiness ?? readiness,
    released: group?.released,
    partners: reference,
    customerGrants: customerGrantsOf(core, security),
    tokens: createAccessTokens({ secrets, clock }),
    storedQuotas: core.storedQuotas,
    takesWrites: cells.home.takesWrites,
    handlers: cells.handlers,
    // Before the request is read: nothing says yet which cell it belongs to.
    hasCapacity: (partner, { about }) => cells.all().some(({ core: cell }) => hasCapacity(cell, partner, about.noun)),
    hooks: { ...extended?.calls, observer: observeBy([kept.observer, security?.observer, extended?.calls?.observer]) },
    sandboxParts: extended?.sandboxParts,
    documentSource: extended?.documentSource ?? { serverUrl: () => config.publicUrl },
    ...(config.management && { management: { ...config.management, alsoOnMain: config.sandbox } }),
  });
  const { countBusy, closeBusy } = edge.connections;
  group?.join({
    reports: { metrics: metrics.render, readiness, busyConnections: countBusy },
    closeBusyConnections: closeBusy,
  });
  return edge;
}

function hasCapacity({ engine, bulkShares }: Core, partner: string, noun: Noun): boolean {
  return engine.hasCapacity(partner) && (noun !== "bulk" || bulkShares.hasCapacity(partner));
}

function customerGrantsOf(
  { adminPool: database, secrets, clock, log, reference, grantShares }: Core,
  security: StartedSecurityLog | undefined,
) {
  const refresh = () => reference.refresh();
  const { run: inTurn } = grantShares;
  return createCustomerGrants({ database, secrets, clock, log, refresh, inTurn, onReuse: security?.onReuse });
}

function loadOf(cells: readonly CellService[]): ServiceLoad {
  const sum = (of: (cell: CellService) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  return {
    requests: sum(({ core }) => core.engine.depth.requests),
    jobs: sum(({ core }) => core.engine.depth.jobs),
    transfersInFlight: sum(({ rails }) => rails.dispatcher.sender.underWay().length),
  };
}

function warnOfIgnored({ config, log, extension, group }: ServiceDeps): void {
  const warn = (setting: string, why: string) => log.warn("setting.ignored", `${why}; it is ignored.`, { setting });
  for (const setting of config.unknownSettings) {
    warn(setting, "The environment has a TITIAN_* variable that is not a setting");
  }
  if (config.railDirectory !== undefined && !extension?.connectCellRails) {
    warn("TITIAN_RAIL_DIRECTORY", "No rails of files are connected by this program");
  }
  if (!config.sandbox && config.administrationUrl !== undefined) {
    warn("TITIAN_ADMIN_DATABASE_URL", "It is for commands, and would give this service rights that it does not need");
  }
  if (config.workers > 1 && !group) warn("TITIAN_WORKERS", "This program starts no workers");
}

/** A service that seeds accounts and simulates rails must never meet production's database, nor production a sandbox's. */
function checkSandbox({ sandbox, inquiriesOnly }: Config, extension: Extension | undefined): void {
  if (sandbox && inquiriesOnly)
    throw new ConfigError(["TITIAN_INQUIRIES_ONLY and --inquiries-only are for production: a sandbox is not restored"]);
  const { isSandbox = false } = extension ?? {};
  if (sandbox === isSandbox) return;
  throw new Error(
    isSandbox
      ? "DATABASE_URL without TITIAN_SANDBOX=1 is for production, and this program runs a sandbox. Set TITIAN_SANDBOX=1 if the database is a sandbox's."
      : "The settings are a sandbox's, and this program runs in production. Set DATABASE_URL and TITIAN_SANDBOX=0, or start it by startSandbox of @titian/sandbox.",
  );
}

function masterKeysOf(config: Config, opened: MasterKeys | undefined): MasterKeys {
  const keys = config.masterKeys ?? opened;
  if (!keys) throw new Error("TITIAN_MASTER_KEY is required outside the sandbox.");
  return keys;
}
