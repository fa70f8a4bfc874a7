/** A database of a test file's own, with connections as jobs have them, and one of its owner. */
import { Client } from "pg";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "./database.ts";

/** `drop` ends the connections too. */
export async function useJobDatabase() {
  const database = await useDatabase();
  const { url, ownerUrl } = database;
  const pool = createAdminPool(url, 4);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const drop = async () => {
    await Promise.all([pool.end(), client.end()]);
    await database.drop();
  };
  return { url, ownerUrl, pool, client, drop };
}
