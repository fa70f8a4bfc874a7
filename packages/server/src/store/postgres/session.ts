/** The engine's connection: named statements only, pipelined; a round trip leaves as one packet. */
import type { Socket } from "node:net";
import { type Client, DatabaseError } from "pg";
import type { Moment } from "../../basics/clock.ts";
import { type ConfirmedCommit, confirmCommit } from "./confirmation/confirmed-commit.ts";
import { connectPipelined } from "./connect.ts";
import { isResponseLate } from "./database-away.ts";
import { type Backend, endBackend, identifyBackend } from "./end-backend.ts";
import { isRequired, standbyRequired } from "./required-standby.ts";
import { createRoundTripSender, StalePlan } from "./round-trips/round-trip-sender.ts";
import {
  type Statement,
  type StatementResult,
  StatementSkipped,
  type StatementValue,
  type TextRow,
} from "./round-trips/round-trip.ts";
import { watchSilence } from "./round-trips/watch-silence.ts";

/** The connection failed under a statement: whether PostgreSQL ran it is not known. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

export type { Statement, StatementValue, TextRow };

export interface Session {
  /**
   * Sends one statement, at once or with its round trip, and resolves with its rows. Values cross as text; see `sql-arrays.ts` for arrays. What sends one in a
   * batch's second round trip is no async function: values that cannot be written must throw before the commit is sent.
   */
  run(statement: Statement, values?: readonly StatementValue[]): Promise<readonly TextRow[]>;
  /**
   * Sends `commit`; undefined when the transaction was rolled back. `sentAt`: now; absent: nothing is submitted because of
   * this commit.
   * @throws ConnectionLost also when PostgreSQL warned meanwhile: the commit may not outlive this server.
   */
  commit(sentAt?: Moment): Promise<ConfirmedCommit | undefined>;
  /**
   * Lets everything sent inside leave as one packet, and be answered at once. When a statement fails, those behind it are
   * skipped; not those of a round trip inside this one, which is another that leaves in the same packet.
   */
  roundTrip<T>(send: () => T): T;
  /** True once the connection was lost; nothing more will be answered. */
  isLost(): boolean;
  close(): Promise<void>;
}

const longAgo: Moment = { real: -Infinity, monotonic: -Infinity };

const begin: Statement = {
  name: "begin",
  text: "begin isolation level read committed",
};
const longerWait: Statement = { name: "wait-longer", text: "set local lock_timeout = '1s'" };
const rollback: Statement = { name: "rollback", text: "rollback" };
const commitStatement: Statement = { name: "commit", text: "commit" };

/** Time that a connection may take to end before it is cut. */
const closeMs = 1_000;

/** No statement that works takes as long: a lock is given up after 1 s. */
const silenceMs = 2_000;

export type OpenSession = () => Promise<Session>;

/** Events of a session for others. */
export interface SessionWatch {
  /** It is open, on the server of this name. */
  opened(server: string): void;
  /** Its commit is sent now. The result is called once that was committed, and PostgreSQL did not warn. */
  committing(server: string): () => void;
  /** The network has lost its connection without a word. */
  lost(): void;
}

/** The last watchdog: it ends the connection, so it stands above every other limit. */
const responseMaxMs = 15_000;

export interface SessionOptions {
  readonly watch?: SessionWatch | undefined;
  /** A commit that waited for no synchronous standby counts as lost. */
  readonly requiresStandby?: boolean;
  /** A statement that was not answered by then ends the connection. */
  readonly responseMs?: number;
}

/** @throws when the database cannot be reached, or the session has other settings (`session-settings.ts`). */
export async function openSession(
  url: string,
  name: string,
  { watch, requiresStandby = false, responseMs = responseMaxMs }: SessionOptions = {},
): Promise<Session> {
  let lost = false;
  const onLost = () => void (lost = true);
  const { client, socket } = await connectPipelined(url, name, { onLost, responseMs });
  const backend = await identifyOrEnd(client, socket);
  const onGone = () => {
    socket.destroy();
    watch?.lost();
  };
  const behind = { connection: { connectionString: url }, name: `${name} watch`, backend };
  const silence = watchSilence({ ...behind, silenceMs, onGone });
  watch?.opened(backend.server);
  // A commit may wait for a standby still: each session that follows would leave one more behind.
  let ending: Promise<unknown> | undefined;
  const endBehind = () => (ending ??= endBackend(behind).catch(() => undefined));
  const connectionLost = (reason: string, cause?: unknown) => {
    lost = true;
    return new ConnectionLost(reason, { cause });
  };
  const { send, roundTrip } = createRoundTripSender(client, silence);
  const result = createResults({ send, connectionLost, endBehind });
  return {
    run: (statement, values = noValues) => result(statement, values, rowsOf),
    commit: async (sentAt = longAgo) => {
      const confirmed = watch?.committing(backend.server);
      const committed = result(commitStatement, noValues, wholeOf);
      const check = requiresStandby ? result(standbyRequired, noValues, wholeOf) : undefined;
      const [{ command, warned }, standby] = await Promise.all([committed, check]);
      // The wait for a synchronous standby was cancelled: committed here, and gone after a failover.
      if (warned) throw connectionLost("PostgreSQL warned while it committed");
      if (standby && !isRequired(standby.rows)) throw connectionLost("commits wait for no synchronous standby");
      if (command === "COMMIT") confirmed?.();
      return confirmCommit({ isCommitted: command === "COMMIT", warned }, sentAt);
    },
    roundTrip: (work) => {
      socket.cork();
      try {
        return roundTrip(work);
      } finally {
        socket.uncork();
      }
    },
    isLost: () => lost,
    close: async () => {
      lost = true;
      // A peer that is gone does not answer the end of the connection.
      const giveUp = setTimeout(() => {
        socket.destroy();
        void endBehind();
      }, closeMs);
      await client.end().catch(() => socket.destroy());
      clearTimeout(giveUp);
      await ending;
    },
  };
}

interface Statements {
  readonly send: ReturnType<typeof createRoundTripSender>["send"];
  /** The connection counts as lost. */
  readonly connectionLost: (reason: string, cause?: unknown) => ConnectionLost;
  /** Ends the backend of a connection that does not answer. */
  readonly endBehind: () => Promise<unknown>;
}

/** One promise a statement: a batch sends many. */
function createResults({ send, connectionLost, endBehind }: Statements) {
  return <T>(statement: Statement, values: readonly StatementValue[], of: (found: StatementResult) => T) =>
    new Promise<T>((resolve, reject) => {
      const fail = (error: unknown) => {
        if (error instanceof StalePlan) return reject(connectionLost(error.message, error.cause));
        if (error instanceof DatabaseError || error instanceof StatementSkipped) return reject(error);
        const unanswered = new ConnectionLost(messageOf(error), { cause: error });
        if (isResponseLate(error)) void endBehind().then(() => reject(unanswered));
        else reject(unanswered);
      };
      try {
        send(statement, values, { resolve: (found) => resolve(of(found)), reject: fail });
      } catch (error) {
        fail(error);
      }
    });
}

async function identifyOrEnd(client: Client, socket: Socket): Promise<Backend> {
  try {
    return await identifyBackend(client);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const noValues: readonly StatementValue[] = [];
const rowsOf = ({ rows }: StatementResult) => rows;
const wholeOf = (result: StatementResult) => result;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Opens a transaction. Its success must be seen before anything is decided: after a failed begin, statements autocommit. */
export async function beginTransaction(session: Session): Promise<void> {
  await session.run(begin);
}

/** Until its end the transaction waits 1 s for a lock, instead of 250 ms. */
export async function waitLonger(session: Session): Promise<void> {
  await session.run(longerWait);
}

export async function rollbackTransaction(session: Session): Promise<void> {
  await session.run(rollback);
}
