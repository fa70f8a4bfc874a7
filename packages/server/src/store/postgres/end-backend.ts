/**
 * Ends a backend from a second connection. One whose commit waits for a synchronous standby does not see that its client
 * has gone: it keeps its locks and its place among the server's connections for as long as the standby is away.
 */
import type { ClientBase } from "pg";
import { connectPlain } from "./connect.ts";
import { serverName } from "./server-name.ts";

/** A backend: its process id and start, which no other backend shares. */
export interface Backend {
  /** The server that runs it, as `serverName` names it. */
  readonly server: string;
  readonly pid: number;
  /** Seconds since the epoch, with a fraction. */
  readonly startedAt: string;
}

export interface BackendToEnd {
  readonly url: string;
  /** `application_name` of its session. */
  readonly name: string;
  readonly backend: Backend;
}

export async function identifyBackend(client: ClientBase): Promise<Backend> {
  const { rows } = await client.query<{ pid: string; started_at: string; server: string }>(
    `select pid::text, extract(epoch from backend_start)::text as started_at, ${serverName} as server
      from pg_stat_activity where pid = pg_backend_pid()`,
  );
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL does not list its own session.");
  return { pid: Number(row.pid), startedAt: row.started_at, server: row.server };
}

/** Longer than the limits of statements; together below a command's 10 s. */
const lookMs = 2_000;

/**
 * Ends it if the given test, which is told whether it waits for its client, says so. True: it is gone.
 *
 * @throws when that is not known.
 */
export async function endBackend(
  { url, name, backend }: BackendToEnd,
  isToEnd: (waitsForClient: boolean) => boolean = () => true,
): Promise<boolean> {
  const client = await connectPlain({
    connectionString: url,
    application_name: `${name} watch`,
    connectionTimeoutMillis: lookMs,
    query_timeout: 2 * lookMs,
  });
  try {
    const { rows } = await client.query<{ waits: boolean }>(
      `select coalesce(wait_event_type = 'Client', false) as waits from pg_stat_activity
        where pid = $1 and extract(epoch from backend_start)::text = $2`,
      [backend.pid, backend.startedAt],
    );
    const [found] = rows;
    if (!found) return true;
    if (!isToEnd(found.waits)) return false;
    const ended = await client.query<{ ended: boolean }>("select pg_terminate_backend($1, $2) as ended", [
      backend.pid,
      lookMs,
    ]);
    return ended.rows[0]?.ended === true;
  } finally {
    await client.end();
  }
}
