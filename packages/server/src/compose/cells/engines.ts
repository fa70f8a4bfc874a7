/** Engines of a cell: one for payments, one for operators' acts. */
import type { Config } from "../../config/config.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Log } from "../../observability/log.ts";
import { confirmReplication } from "../../store/postgres/confirmation/confirm.ts";
import { type OpenSession, openSession, type SessionWatch } from "../../store/postgres/session.ts";
import type { Environment } from "../../store/reference/environment.ts";
import type { Database } from "../database.ts";

export interface Engines {
  readonly engine: Engine;
  /**
   * Carries out operators' acts: one whose transaction holds the chain of acts delays those, and no batch of payments. A command
   * has one engine for all.
   */
  readonly actEngine: Engine;
}

export async function startEngines(
  { environment }: { readonly environment?: Environment },
  stack: AsyncDisposableStack,
  start: (name: string) => Promise<Engine>,
): Promise<Engines> {
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

interface OpenDeps {
  readonly config: Pick<Config, "synchronous">;
  readonly log: Log;
  readonly environment?: Environment;
}

/**
 * The first connection follows the check at start; every later one a check of its own. What was committed before without
 * a response, by an earlier connection or by this node before it was restarted, has to be sure before a service answers
 * from it. A command that is one node more for a moment does not wait for that: what it writes waits itself.
 */
export function openChecked(
  database: Database,
  name: string,
  { log, environment, config }: OpenDeps,
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
