/** The benches' databases: one a subject, so that none pays for another's rows. Replaced at the start of a run. */
import { operations } from "@titian/contract";
import { Client } from "pg";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";

/** The URL of a fresh, empty database of the cluster. */
export async function createDatabase(clusterUrl: string, name: string): Promise<string> {
  await dropDatabase(clusterUrl, name);
  await execute(clusterUrl, `create database ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** As `createDatabase`, with this release's schema. */
export async function createLedgerDatabase(clusterUrl: string, name: string): Promise<string> {
  const url = await createDatabase(clusterUrl, name);
  await migrate(url, { now: Date.now() });
  return url;
}

export async function dropDatabase(clusterUrl: string, name: string): Promise<void> {
  await execute(clusterUrl, `drop database if exists ${name} with (force)`);
}

/** Statistics and a clean heap, as a database that has lived for a while has them. */
export async function vacuum(url: string): Promise<void> {
  await execute(url, "vacuum analyze");
}

/** Accepted writes but for the holds that were placed without being called for. */
export async function countAccepted(url: string): Promise<number> {
  const { code } = operations.authPayment;
  const [row] = await query(url, `select count(*)::int as count from accepted_requests where service <> ${code}`);
  return Number(row?.["count"]);
}

/** Rows of a statement without parameters, on a connection of its own. */
export async function query(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url, application_name: "bench" });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function execute(url: string, text: string): Promise<void> {
  await query(url, text);
}
