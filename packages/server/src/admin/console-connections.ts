/** Connections of the console in production, all of its own role (docs/adr/0078-console-in-production.md). */
import { createAdminPool, createReadPool, type StatementPool } from "../store/postgres/connect.ts";

export interface ConsoleConnections extends AsyncDisposable {
  readonly reads: StatementPool;
  /** For sessions, and for what operators propose and decide. */
  readonly database: StatementPool;
}

const readConnections = 6;
const otherConnections = 3;

export function openConsoleConnections(url: string): ConsoleConnections {
  const reads = createReadPool(url, readConnections);
  const database = createAdminPool(url, otherConnections);
  return {
    reads,
    database,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([reads.end(), database.end()]);
    },
  };
}
