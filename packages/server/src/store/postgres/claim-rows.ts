/** Claims of rows by one statement, whose own commit is the proof that they may leave: no further round trip. */
import type { Pool, PoolClient } from "pg";
import type { Moment } from "../../basics/clock.ts";
import { type ConfirmedCommit, confirmCommit } from "./confirmation/confirmed-commit.ts";
import { isDatabaseAway } from "./database-away.ts";
import { type Backend, endBackend, identifyBackend } from "./end-backend.ts";
import { type Query, queryRows } from "./query-rows.ts";
import { isRequired, requiresStandby, standbyRequired } from "./required-standby.ts";
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
    const isCommitted = rows.length > 0;
    const warned = watch.warned() || (isCommitted && (await wentWithoutStandby(pool, client)));
    const commit = confirmCommit({ isCommitted, warned }, sentAt);
    client.release();
    return { rows, commit };
  } catch (error) {
    client.release(true);
    const wasWaiting = backend && isDatabaseAway(error) && (await endWaiting(pool, backend).catch(() => false));
    if (error instanceof Error && (wasWaiting || watch.warned())) unconfirmedClaims.add(error);
    throw error;
  } finally {
    watch.stop();
  }
}

async function wentWithoutStandby(pool: Pool, client: PoolClient): Promise<boolean> {
  return requiresStandby(pool) && !isRequired(await queryRows(client, standbyRequired));
}

const unconfirmedClaims = new WeakSet<Error>();

/** True when a claim failed while its commit waited for the standby: it is committed, of rows that nobody has. */
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

/**
 * Its commit may wait for a standby for as long as that is away, with its rows locked: each claim would leave one behind. By a
 * connection beside the pool, whose others may all wait alike. True: it was waiting for the standby.
 */
async function endWaiting(pool: Pool, backend: Backend): Promise<boolean> {
  const { event } = await endBackend({ connection: pool.options, name: "titian claims", backend });
  return event === "SyncRep";
}

/** Watches for a warning of PostgreSQL behind a statement, while it commits; an earlier one is about the statement. */
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
