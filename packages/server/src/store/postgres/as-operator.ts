/** Connections of a door, as one operator's. */
import type { Pool, QueryConfig } from "pg";
import { inTransaction } from "./in-transaction.ts";
import { keepSessionSecret } from "./session-secret.ts";

/**
 * The same connections, each statement in a transaction that carries the secret of the operator's session: the database knows
 * by it who acts. Nothing of it stays on a connection.
 */
export function asOperator(database: Pool, sessionSecret: string): Pool {
  const own = Object.create(database) as Pool;
  keepSessionSecret(own, sessionSecret);
  own.connect = database.connect.bind(database);
  const query = (given: QueryConfig) => inTransaction(own, (client) => client.query(given));
  own.query = query as Pool["query"];
  return own;
}
