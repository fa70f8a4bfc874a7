/** One connection of a test's own to a database, as its owner or anybody else. */
import { Client } from "pg";

export async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, application_name: "titian tests" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function queryRows(url: string, text: string): Promise<readonly unknown[]> {
  return withClient(url, async (client) => (await client.query(text)).rows);
}

export function runStatements(url: string, statements: readonly string[]): Promise<void> {
  return withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** As the owner, with no trigger in the way: for rows that no service writes. */
export function spoilRows(url: string, statements: readonly string[]): Promise<void> {
  return runStatements(url, ["set session_replication_role = replica", ...statements]);
}
