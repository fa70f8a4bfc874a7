/** Claims of rows by one statement, whose own commit is the proof that they may leave: no further round trip. */
import type { Pool, PoolClient } from "pg";
import type { Moment } from "../../clock.ts";
import { type ConfirmedCommit, confirmCommit } from "./confirmed-commit.ts";
import { connectPlain } from "./connect.ts";
import { isDatabaseAway } from "./database-away.ts";
import { type Backend, identifyBackend } from "./end-backend.ts";
import { type Query, queryRows } from "./query-rows.ts";
import type { TextRow } from "./session.ts";

export interface Claimed<Row> {
  readonly rows: readonly Row[];
  /** Undefined: nothing was claimed; or the commit was not confirmed, and nothing of it may leave. */
  readonly commit: ConfirmedCommit | undefined;
}

/**
 * Has a name, and so is prepared: PostgreSQL says that it is complete before it commits, and warns between. Of a text without a
 * name or values it says so after the commit.
 */
interface Claim extends Query {
  readonly name: string;
}

/** `claim`: a statement that writes each row which it returns. `sentAt`: before it is sent. */
export async function claimRows(pool: Pool, claim: Claim, sentAt: Moment): Promise<Claimed<TextRow>> {
  const client = await pool.connect();
  const watch = watchWarnings(client);
  let backend: Backend | undefined;
  try {
    backend = await backendOf(client);
    const rows = await queryRows(client, claim);
    // A statement that wrote nothing has no commit to wait for.
    const commit = confirmCommit({ isCommitted: rows.length > 0, warned: watch.warned() }, sentAt);
    client.release();
    return { rows, commit };
  } catch (error) {
    client.release(true);
    const wasWaiting = backend && isDatabaseAway(error) && (await endBackend(pool, backend).catch(() => false));
    if (error instanceof Error && (wasWaiting || watch.warned())) unconfirmedClaims.add(error);
    throw error;
  } finally {
    watch.stop();
  }
}

const unconfirmedClaims = new WeakSet<Error>();

/** Whether a claim failed while its commit waited for the standby: it is committed, of rows that nobody has. */
export function isUnconfirmedClaim(error: unknown): boolean {
  return error instanceof Error && unconfirmedClaims.has(error);
}

const backends = new WeakMap<PoolClient, Backend>();

/** Asked for once a connection. */
async function backendOf(client: PoolClient): Promise<Backend> {
  const known = backends.get(client) ?? (await identifyBackend(client));
  backends.set(client, known);
  return known;
}

const endWithinMs = 2_000;

/**
 * Its commit may wait for a standby for as long as that is away, with its rows locked: each claim would leave one behind. A
 * backend may end others of its own role. By a connection beside the pool, whose others may all wait alike; and none but that
 * backend: behind the same address another server may answer by now, with a session of the same process id. True: it was
 * waiting for the standby.
 */
async function endBackend(pool: Pool, { pid, startedAt }: Backend): Promise<boolean> {
  const client = await connectPlain({
    ...pool.options,
    application_name: "titian claims",
    connectionTimeoutMillis: endWithinMs,
    query_timeout: 2 * endWithinMs,
  });
  try {
    const rows = await queryRows(client, {
      text: `select wait_event = 'SyncRep', pg_terminate_backend(pid, $3) from pg_stat_activity
        where pid = $1 and extract(epoch from backend_start)::text = $2`,
      values: [pid, startedAt, endWithinMs],
    });
    return rows[0]?.[0] === "t";
  } finally {
    await client.end();
  }
}

/** Whether PostgreSQL warns behind a statement: then it commits. What it warns of before is about the statement. */
function watchWarnings(client: PoolClient) {
  let warned = false;
  const onNotice = () => {
    warned = true;
  };
  const onComplete = () => {
    warned = false;
  };
  // A lost connection fails its statement; the event needs a listener, or it would end the process.
  const onError = () => undefined;
  client.on("notice", onNotice);
  client.on("error", onError);
  client.connection.on("commandComplete", onComplete);
  return {
    warned: () => warned,
    stop: () => {
      client.off("notice", onNotice);
      client.off("error", onError);
      client.connection.off("commandComplete", onComplete);
    },
  };
}
