/** Judges a start by the table of conditions, before anything is made, changed or served. */
import { type Config, ConfigError } from "../../config/config.ts";
import type { Log } from "../../observability/log.ts";
import { addressOf, findLoginRole } from "../../store/schema/database-login.ts";
import { openKeys } from "./open-keys.ts";
import { isTrusted, type StartFacts, startChecks } from "./start-checks.ts";

interface StartDeps {
  readonly config: Config;
  readonly log: Log;
}

/**
 * The configuration with its keys opened: the module of TITIAN_KEYS runs once its directory is judged.
 * @throws ConfigError outside the sandbox, with all that is wrong; the database's error where its role cannot be asked.
 */
export async function checkStart({ config, log }: StartDeps): Promise<Config> {
  const consoleDatabase = config.console && addressOf(config.console.databaseUrl);
  const facts = { ...(await findFacts(config)), consoleDatabase };
  judge(facts, log);
  const opened = await openKeys(config);
  if (opened !== config) judge({ ...facts, config: opened }, log);
  return opened;
}

function judge(facts: StartFacts, log: Log): void {
  const faults = startChecks.flatMap(({ id, faults: find }) => find(facts).map((fault) => ({ id, fault })));
  if (!facts.config.sandbox && faults.length > 0) throw new ConfigError(faults.map(({ fault }) => fault));
  for (const { id, fault } of faults) log.warn("start.unsafe", `Production would not start: ${fault}.`, { reason: id });
}

async function findFacts(config: Config): Promise<StartFacts> {
  const { databaseUrl, sandbox } = config;
  if (databaseUrl === undefined) return { config };
  const database = addressOf(databaseUrl);
  // A password is not sent to whoever answers.
  if (!sandbox && !isTrusted(database)) return { config, database };
  try {
    return { config, database, role: await findLoginRole(databaseUrl) };
  } catch (error) {
    const isWrongAnyway = !sandbox && startChecks.some(({ faults }) => faults({ config, database }).length > 0);
    if (isWrongAnyway) return { config, database };
    throw error;
  }
}
