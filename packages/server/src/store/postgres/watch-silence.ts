/**
 * Detects a connection that the network lost silently: PostgreSQL waits for us while we wait for PostgreSQL. Then the
 * old backend is ended from a second connection, so that it neither commits nor keeps a row locked, and the first
 * connection counts as lost.
 */
import { setImmediate as pendingInput } from "node:timers/promises";
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

export interface SilenceOptions {
  readonly url: string;
  /** `application_name` of the watched connection. */
  readonly name: string;
  readonly backend: Backend;
  /** How long a statement may wait for an answer before each check. */
  readonly silenceMs: number;
  /** The backend is gone. */
  readonly onGone: () => void;
}

export interface SilenceWatch {
  /** A statement was sent. */
  sent(): void;
  /** A statement was answered, or failed. */
  answered(): void;
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

export function watchSilence(options: SilenceOptions): SilenceWatch {
  let waiting = 0;
  let answers = 0;
  const check = async () => {
    if (waiting === 0) return;
    const before = answers;
    // After a pause of this process the answer may lie here unread.
    await pendingInput();
    const isSilent = () => answers === before;
    const gone = isSilent() && (await endIdleBackend(options, isSilent).catch(() => false));
    if (gone) options.onGone();
    else timer.refresh();
  };
  const timer = setTimeout(() => void check(), options.silenceMs);
  timer.unref();
  return {
    sent: () => {
      waiting += 1;
      if (waiting === 1) timer.refresh();
    },
    answered: () => {
      waiting -= 1;
      answers += 1;
      timer.refresh();
    },
  };
}

/** Longer than the limits of statements; together below a command's 10 s. */
const lookMs = 2_000;

/** Ends the backend unless it works, for instance on a commit that waits for a disk or standby. True: it is gone. */
async function endIdleBackend({ url, name, backend }: SilenceOptions, isSilent: () => boolean): Promise<boolean> {
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
    if (!found.waits || !isSilent()) return false;
    const ended = await client.query<{ ended: boolean }>("select pg_terminate_backend($1, $2) as ended", [
      backend.pid,
      lookMs,
    ]);
    return ended.rows[0]?.ended === true;
  } finally {
    await client.end();
  }
}
