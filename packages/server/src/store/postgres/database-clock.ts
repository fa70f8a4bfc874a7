/** The database's clock: to compare a node's with it, and how far an audit reaches; never a row's time. */
import type { Client, Pool } from "pg";
import { queryRows } from "./query-rows.ts";

const readClock = { name: "read-database-clock", text: "select date_part('epoch', clock_timestamp()) * 1000" };

/** Its time while it answered (epoch ms). */
export async function readDatabaseClock(database: Pool | Client): Promise<number> {
  const [row] = await queryRows(database, readClock);
  return Number(row?.[0]);
}
