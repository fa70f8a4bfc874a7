/** Claims of rows by one statement, whose own commit is the proof that they may leave: no further round trip. */
import type { Pool, PoolClient } from "pg";
import type { Moment } from "../../clock.ts";
import { type ConfirmedCommit, confirmCommit } from "./confirmed-commit.ts";
import { isDatabaseAway } from "./database-away.ts";
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
  let broken = true;
  const watch = watchWarnings(client);
  try {
    const rows = await queryRows(client, claim);
    broken = false;
    // A statement that wrote nothing has no commit to wait for.
    return { rows, commit: confirmCommit({ isCommitted: rows.length > 0, warned: watch.warned() }, sentAt) };
  } catch (error) {
    if (isDatabaseAway(error)) await endBackend(pool, client);
    throw error;
  } finally {
    watch.stop();
    client.release(broken);
  }
}

/**
 * Its commit may wait for a standby for as long as that is away, with its rows locked: each claim would leave one behind. A
 * backend may end others of its own role.
 */
async function endBackend(pool: Pool, client: PoolClient): Promise<void> {
  const processId: unknown = Reflect.get(client, "processID");
  await pool.query("select pg_terminate_backend($1)", [processId]).catch(() => undefined);
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
