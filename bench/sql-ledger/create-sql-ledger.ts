/** A database with the ledger of SQL functions. */
import { readFileSync } from "node:fs";
import type { Cluster } from "../database/cluster.ts";
import { createDatabase, dropDatabase, query, vacuum } from "../database/databases.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";

export interface SqlLedger {
  readonly url: string;
  /** Throws unless its books hold so many transfers, both entries of each, and every balance they add up to. */
  check(answered: number): Promise<void>;
  drop(): Promise<void>;
}

/** As the accounts of the other subjects have. */
const balance = 1_000_000_000_000;

const figures = `select (select count(*) from transfers)::int as transfers, (select count(*) from entries)::int as entries,
  (select count(*) from accounts where balance <> ${balance} + coalesce(
    (select sum(amount) from entries where account_id = accounts.id), 0))::int as wrong`;

export async function createSqlLedger(cluster: Cluster, name: string, accounts: number): Promise<SqlLedger> {
  const database = `bench_${name}`;
  const url = await createDatabase(cluster.url, database);
  await query(url, readFileSync(new URL("schema.sql", import.meta.url), "utf8"));
  const rows = accountNumbers(accounts).map((number, index) => `(${index + 1}, '${number}', 'IDR', ${balance})`);
  await query(url, `insert into accounts (id, account_no, currency, balance) values ${rows.join()}`);
  await vacuum(url);
  return {
    url,
    check: async (answered) => {
      const [row] = await query(url, figures);
      if (row?.["transfers"] === answered && row["entries"] === 2 * answered && row["wrong"] === 0) return;
      throw new Error(`${name}: ${answered} transfers were answered, and its database has ${JSON.stringify(row)}.`);
    },
    drop: () => dropDatabase(cluster.url, database),
  };
}
