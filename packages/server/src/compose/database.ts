/** The database the service runs on: given by its URL, or started by the embedding program; checked before anything is trusted to it. */
import type { Clock } from "../basics/clock.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../observability/log.ts";
import type { Secrets } from "../basics/secrets.ts";
import { checkDatabase, type DatabaseFitness } from "../store/schema/check-database.ts";
import { checkEnvironment, type Environment } from "../store/reference/environment.ts";
import { findSchemaFaults } from "../store/schema/applied-migrations.ts";
import { migrate } from "../store/schema/migrate.ts";
import { ensureRoles } from "../store/schema/roles.ts";

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
}) => Promise<{ readonly url: string; stop(): Promise<void> }>;

export interface DatabaseDeps {
  readonly startDatabase?: StartDatabase | undefined;
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
  const { config } = deps;
  if (config.databaseUrl === undefined) return openOwn(deps);
  const { version, faults } = await checkGiven(deps, config.databaseUrl);
  const url = config.databaseUrl;
  // Before anything is changed, and once more when there is a place for the record.
  if (deps.environment) await checkEnvironment(url, deps.environment, { record: false });
  if (config.sandbox) await migrate(url, { now: deps.clock.now(), onProgress: deps.onProgress });
  await checkSchema(url);
  if (deps.environment) await checkEnvironment(url, deps.environment, { record: true });
  return {
    url,
    administrationUrl: deps.administrationUrl ?? url,
    version,
    faults,
    checkAgain: async () => void (await Promise.all([checkGiven(deps, url), checkSchema(url)])),
    stop: async () => undefined,
  };
}

async function openOwn(deps: DatabaseDeps): Promise<Database> {
  const { config, log, onProgress, onFailure, startDatabase } = deps;
  if (!startDatabase) throw new Error("DATABASE_URL is not set, and this program starts no database of its own.");
  onProgress("Starting PostgreSQL");
  const server = await startDatabase({ dataDir: config.dataDir, log, onProgress, onFailure });
  const { environment } = deps;
  try {
    if (environment) await checkEnvironment(server.url, environment, { record: false });
    await migrate(server.url, { now: deps.clock.now(), onProgress });
    const passwordOf = (role: string) => deps.secrets.derive(`database role ${role}`)[0].key.toString("hex");
    const { url, administrationUrl } = await ensureRoles(server.url, passwordOf);
    await checkSchema(url);
    if (environment) await checkEnvironment(url, environment, { record: true });
    const { version, faults } = await checkStandby(deps, url);
    // Nobody else's server comes to stand behind this URL.
    const checkAgain = () => checkSchema(url);
    return { url, administrationUrl, version, faults, checkAgain, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @throws where a synchronous standby is required and commits wait for none. */
async function checkStandby({ config }: DatabaseDeps, url: string): Promise<DatabaseFitness> {
  const found = await checkDatabase(url);
  if (config.synchronous === "optional" || found.isSynchronous) return found;
  throw new Error(
    "TITIAN_SYNCHRONOUS is required, and commits wait for no standby: set synchronous_standby_names and reload PostgreSQL.",
  );
}

async function checkGiven(deps: DatabaseDeps, url: string) {
  const { config, log } = deps;
  const found = await checkStandby(deps, url);
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

async function checkSchema(url: string): Promise<void> {
  const faults = await findSchemaFaults(url);
  if (faults.length > 0)
    throw new Error(`The database does not fit this release:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
}
