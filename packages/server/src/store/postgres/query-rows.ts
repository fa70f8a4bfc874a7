import type { Client, Pool, PoolClient } from "pg";
import { asText } from "./connect.ts";
import type { TextRow } from "./round-trips/round-trip.ts";

export interface Query {
  /** A statement with a name is planned once a connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Rows of a plain statement, as PostgreSQL sent them. */
export async function queryRows(client: Pool | PoolClient | Client, query: Query): Promise<readonly TextRow[]> {
  const values = [...(query.values ?? [])];
  return (await client.query<(string | null)[]>({ ...query, values, rowMode: "array", types: asText })).rows;
}
