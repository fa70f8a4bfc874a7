/**
 * Ends a backend from a second connection. One whose commit waits for a synchronous standby does not see that its client
 * has gone: it keeps its locks and its place among the server's connections for as long as the standby is away.
 */
import type { ClientBase, ClientConfig } from "pg";
import { connectPlain } from "./connect.ts";
import { queryRows } from "./query-rows.ts";
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
  /** To its server; a connection of its own is opened. */
  readonly connection: ClientConfig;
  /** `application_name` of that. */
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

/** Wait of a backend, by PostgreSQL: `Client`, or the event `SyncRep`; neither while it works. */
export interface BackendWait {
  readonly type: string | undefined;
  readonly event: string | undefined;
}

export interface EndedBackend extends BackendWait {
  readonly isGone: boolean;
}

/**
 * Ends it if the given test says so. Behind the same address another server may answer by now, with a session of the same
 * process id: none but this one is ended.
 *
 * @throws when it is not known whether it is gone.
 */
export async function endBackend(
  { connection, name, backend }: BackendToEnd,
  isToEnd: (wait: BackendWait) => boolean = () => true,
): Promise<EndedBackend> {
  const client = await connectPlain({
    ...connection,
    application_name: name,
    connectionTimeoutMillis: lookMs,
    query_timeout: 2 * lookMs,
  });
  try {
    const [found] = await queryRows(client, {
      text: `select wait_event_type, wait_event from pg_stat_activity
        where pid = $1 and extract(epoch from backend_start)::text = $2`,
      values: [backend.pid, backend.startedAt],
    });
    const wait = { type: found?.[0] ?? undefined, event: found?.[1] ?? undefined };
    if (!found) return { ...wait, isGone: true };
    if (!isToEnd(wait)) return { ...wait, isGone: false };
    const [ended] = await queryRows(client, {
      text: "select pg_terminate_backend($1, $2)",
      values: [backend.pid, lookMs],
    });
    return { ...wait, isGone: ended?.[0] === "t" };
  } finally {
    await client.end();
  }
}
