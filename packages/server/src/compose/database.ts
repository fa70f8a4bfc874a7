/** The database the service runs on: given by its URL, or started by the embedding program; checked before anything is trusted to it. */
import type { Clock } from "../basics/clock.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../observability/log.ts";
import type { Secrets } from "../basics/secrets.ts";
import { checkDatabase, type DatabaseFitness } from "../store/schema/check-database.ts";
import { checkEnvironment, type Environment } from "../store/reference/environment.ts";
import { findSchemaFaults } from "../store/schema/applied-migrations.ts";
import { type PlainConnection, withConnection } from "../store/postgres/connect.ts";
import { migrate, migrateOn } from "../store/schema/migrate.ts";
import { ensureRoles, type RoleUrls } from "../store/schema/roles.ts";

export interface Database {
  /** Address to which the service connects. */
  readonly url: string;
  /** Address to which administration connects; the same as `url` where the program has no other. */
  readonly administrationUrl: string;
  readonly version: number;
  /** Faults that were accepted although they are unsafe. */
  readonly faults: readonly string[];
  /**
   * Looks again: after a loss of connection another server, or a schema of another release, may stand behind the URL.
   *
   * @throws when it is unfit.
   */
  checkAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL of the program's own, for a service without `DATABASE_URL`. */
export type StartDatabase = (deps: {
  readonly dataDir: string;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
  /** The server died and cannot be started again. */
  readonly onFailure: (error: Error) => void;
  /** The server's process runs, and is not ready yet: there is time for other work. */
  readonly onStarting?: (() => void) | undefined;
}) => Promise<{ readonly url: string; stop(): Promise<void> }>;

export interface DatabaseDeps {
  readonly startDatabase?: StartDatabase | undefined;
  /** Called while a database of the program's own starts. */
  readonly onDatabaseStarting?: (() => void) | undefined;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly onProgress: (text: string) => void;
  /** Kind of the service that starts; absent for a command that works on either kind of database. */
  readonly environment?: Environment;
  /** Address to which administration connects, beside a `DATABASE_URL`. */
  readonly administrationUrl?: string | undefined;
  /** The database that was started died and cannot be started again. */
  readonly onFailure: (error: Error) => void;
}

/** @throws when the database cannot be reached, is unfit for money, or does not hold this release's schema. */
export async function openDatabase(deps: DatabaseDeps): Promise<Database> {
  const { config, environment } = deps;
  if (config.databaseUrl === undefined) return openOwn(deps);
  const url = config.databaseUrl;
  const { version, faults } = await look(url, async (client) => {
    const found = await checkGiven(deps, client);
    // Before anything is changed, and once more when there is a place for the record.
    if (environment) await checkEnvironment(client, environment, { record: false });
    if (config.sandbox) await migrate(url, { now: deps.clock.now(), onProgress: deps.onProgress });
    await checkSchema(client);
    if (environment) await checkEnvironment(client, environment, { record: true });
    return found;
  });
  const checkAgain = () =>
    look(url, async (client) => {
      await checkGiven(deps, client);
      await checkSchema(client);
    });
  const administrationUrl = deps.administrationUrl ?? url;
  return { url, administrationUrl, version, faults, checkAgain, stop: async () => undefined };
}

/** Connects once. A server that does not answer must not keep a reconnect waiting. */
function look<Result>(url: string, work: (client: PlainConnection) => Promise<Result>): Promise<Result> {
  return withConnection({ connectionString: url, application_name: "titian check", query_timeout: 5_000 }, work);
}

async function openOwn(deps: DatabaseDeps): Promise<Database> {
  const { config, log, onProgress, onFailure, startDatabase, environment } = deps;
  if (!startDatabase) throw new Error("DATABASE_URL is not set, and this program starts no database of its own.");
  onProgress("Starting PostgreSQL");
  const server = await startDatabase({
    dataDir: config.dataDir,
    log,
    onProgress,
    onFailure,
    onStarting: deps.onDatabaseStarting,
  });
  try {
    const { url, administrationUrl } = await prepareOwn(server.url, deps);
    const { version, faults } = await look(url, async (client) => {
      await checkSchema(client);
      if (environment) await checkEnvironment(client, environment, { record: true });
      return checkStandby(deps, client);
    });
    // Nobody else's server comes to stand behind this URL.
    const checkAgain = () => look(url, checkSchema);
    return { url, administrationUrl, version, faults, checkAgain, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Its schema and roles, on one connection of its owner: each costs PostgreSQL a process. */
function prepareOwn(ownerUrl: string, { environment, clock, onProgress, secrets }: DatabaseDeps): Promise<RoleUrls> {
  const passwordOf = (role: string) => secrets.derive(`database role ${role}`)[0].key.toString("hex");
  return withConnection({ connectionString: ownerUrl, application_name: "titian migrate" }, async (owner) => {
    if (environment) await checkEnvironment(owner, environment, { record: false });
    await migrateOn(owner, ownerUrl, { now: clock.now(), onProgress });
    return ensureRoles(owner, ownerUrl, passwordOf);
  });
}

/** @throws where a synchronous standby is required and commits wait for none. */
async function checkStandby({ config }: DatabaseDeps, client: PlainConnection): Promise<DatabaseFitness> {
  const found = await checkDatabase(client);
  if (config.synchronous === "optional" || found.isSynchronous) return found;
  throw new Error(
    "TITIAN_SYNCHRONOUS is required, and commits wait for no standby: set synchronous_standby_names and reload PostgreSQL.",
  );
}

async function checkGiven(deps: DatabaseDeps, client: PlainConnection) {
  const { config, log } = deps;
  const found = await checkStandby(deps, client);
  for (const warning of found.warnings) log.warn("database.setting_weak", `Database: ${warning}.`);
  if (found.faults.length === 0) return found;
  const list = found.faults.map((fault) => `  - ${fault}`).join("\n");
  if (!config.allowUnsafeDatabase) {
    throw new Error(
      `The database may lose commits:\n${list}\nFix it, or set TITIAN_ALLOW_UNSAFE_DATABASE=1 where losing money does not matter.`,
    );
  }
  for (const fault of found.faults) log.warn("database.unsafe_accepted", `An unsafe database is accepted: ${fault}`);
  return found;
}

async function checkSchema(client: PlainConnection): Promise<void> {
  const faults = await findSchemaFaults(client);
  if (faults.length > 0)
    throw new Error(`The database does not fit this release:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
}
