/** The engine's connection: named statements only, pipelined; a trip leaves as one packet. */
import { DatabaseError, type QueryArrayConfig } from "pg";
import { connectPipelined } from "./connect.ts";

/** The connection failed under a statement: whether PostgreSQL ran it is not known. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/**
 * A prepared statement of the write path. Values cross as text; see `sql-arrays.ts` for arrays. What sends one in a
 * flight's second trip is no async function: values that cannot be written must throw before the commit is sent.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A row as PostgreSQL sent it: text or null, in the order of the select list. */
export type TextRow = readonly (string | null)[];

export interface Session {
  /** Sends one statement at once and resolves with its rows. */
  run(statement: Statement, values?: readonly unknown[]): Promise<readonly TextRow[]>;
  /** Sends `commit`; true when the transaction was committed, false when it was rolled back. */
  commit(): Promise<boolean>;
  /** Lets everything sent inside leave as one packet. */
  trip<T>(send: () => T): T;
  /** True once the connection was lost; nothing more will be answered. */
  isLost(): boolean;
  close(): Promise<void>;
}

const begin: Statement = {
  name: "begin",
  text: "begin isolation level read committed",
};
const rollback: Statement = { name: "rollback", text: "rollback" };
const commitStatement: Statement = { name: "commit", text: "commit" };

/** How long a connection may take to say goodbye before it is cut. */
const closeMs = 1_000;

export type OpenSession = () => Promise<Session>;

export async function openSession(url: string, name: string): Promise<Session> {
  let lost = false;
  const { client, socket } = await connectPipelined(url, name, () => {
    lost = true;
  });
  const send = async (statement: Statement, values?: readonly unknown[]) => {
    const query: QueryArrayConfig = {
      name: statement.name,
      text: statement.text,
      rowMode: "array",
    };
    if (values !== undefined) query.values = [...values];
    try {
      return await client.query<(string | null)[]>(query);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new ConnectionLost(messageOf(error), { cause: error });
    }
  };
  return {
    run: async (statement, values) => (await send(statement, values)).rows,
    commit: async () => (await send(commitStatement)).command === "COMMIT",
    trip: (work) => {
      socket.cork();
      try {
        return work();
      } finally {
        socket.uncork();
      }
    },
    isLost: () => lost,
    close: async () => {
      lost = true;
      // The goodbye of a peer that no longer answers would never come.
      const giveUp = setTimeout(() => socket.destroy(), closeMs);
      await client.end().catch(() => socket.destroy());
      clearTimeout(giveUp);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Opens a transaction. Its success must be seen before anything is decided: after a failed begin, statements autocommit. */
export async function beginTransaction(session: Session): Promise<void> {
  await session.run(begin);
}

export async function rollbackTransaction(session: Session): Promise<void> {
  await session.run(rollback);
}
