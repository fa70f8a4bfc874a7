/** Stops a running node when a later release has migrated its database to a schema that this release cannot work on. */
import { findBreakingMigration } from "../store/schema/applied-migrations.ts";
import { readMigrations } from "../store/schema/migration-files.ts";
import type { Core } from "./core.ts";

/** A connection that is lost is looked at as well, before anything is written on the next one. */
const everyMs = 2_000;

/** `onBroken` is called once. */
export function watchSchema({ adminPool, log }: Core, onBroken: (error: Error) => void): Disposable {
  const known = readMigrations();
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    // A database that does not answer is told of by others.
    const reason = await findBreakingMigration(adminPool, known).catch(() => undefined);
    isLooking = false;
    if (reason === undefined) return;
    clearInterval(timer);
    const error = new Error(reason);
    const message = "The database was migrated to a schema that breaks this release; the node stops.";
    log.error("schema.incompatible", message, { error });
    onBroken(error);
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
