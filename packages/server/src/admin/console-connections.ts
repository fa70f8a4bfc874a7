/** Connections of the console in production, all of its own role (docs/adr/0078-console-in-production.md). */
import { createAdminPool, createReadPool, type StatementPool } from "../store/postgres/connect.ts";
import { isSameDatabase } from "../store/schema/rights.ts";
import { findDoor } from "../store/tables/operator-sessions.ts";
import { AdminError } from "./result.ts";

export interface ConsoleConnections extends AsyncDisposable {
  readonly reads: StatementPool;
  /** For sessions, and for what operators propose and decide. */
  readonly database: StatementPool;
}

const readConnections = 6;
const otherConnections = 3;

/** @throws AdminError where the role is no door of operators, or the URL leads to another database than the service's. */
export async function openConsoleConnections(url: string, service: StatementPool): Promise<ConsoleConnections> {
  const reads = createReadPool(url, readConnections);
  const database = createAdminPool(url, otherConnections);
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => void (await Promise.all([reads.end(), database.end()])));
  await checkConsole(reads, service);
  const opened = stack.move();
  return { reads, database, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function checkConsole(reads: StatementPool, service: StatementPool): Promise<void> {
  if (!(await isSameDatabase(service, reads)))
    throw new AdminError(
      "TITIAN_CONSOLE_DATABASE_URL leads to another database than DATABASE_URL: both need the same.",
    );
  const { role, isDoor } = await findDoor(reads);
  if (!isDoor)
    throw new AdminError(
      `TITIAN_CONSOLE_DATABASE_URL logs in as ${role}, which is no door of operators: the database's owner makes it one ` +
        `by \`titian migrate --console-role ${role}\`.`,
    );
}
