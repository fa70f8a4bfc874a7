/** A database with a ledger of SQL functions: the usual one, or the one that has the service's guards too. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
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

const figures = `(select count(*) from transfers)::int as transfers, (select count(*) from entries)::int as entries,
  (select count(*) from accounts where balance <> ${balance} + coalesce(
    (select sum(amount) from entries where account_id = accounts.id), 0))::int as wrong`;
const guardedFigures = `(select count(*) from request_keys)::int as keys,
  (select count(*) from rejected_requests)::int as rejected,
  (select count(*) from (select from entries group by transfer_id having sum(amount) <> 0) found)::int as unbalanced,
  (select count(*) from accounts where version <> (select count(*) from entries where account_id = accounts.id))::int as gaps`;

/** The files, and the figures of each one's books. */
const schemas = { usual: ["schema.sql", figures], guarded: ["guarded.sql", `${figures}, ${guardedFigures}`] } as const;

export interface SqlLedgerOptions {
  readonly cluster: Cluster;
  readonly name: string;
  readonly accounts: number;
  readonly schema: keyof typeof schemas;
}

export async function createSqlLedger({ cluster, name, accounts, schema }: SqlLedgerOptions): Promise<SqlLedger> {
  const database = `bench_${name}`;
  const url = await createDatabase(cluster.url, database);
  const [file, columns] = schemas[schema];
  await query(url, readFileSync(new URL(file, import.meta.url), "utf8"));
  const rows = accountNumbers(accounts).map((number, index) => `(${index + 1}, '${number}', 'IDR', ${balance})`);
  await query(url, `insert into accounts (id, account_no, currency, balance) values ${rows.join()}`);
  await vacuum(url);
  return {
    url,
    check: async (answered) => {
      const [found] = await query(url, `select ${columns}`);
      const books = { transfers: answered, entries: 2 * answered, wrong: 0 };
      const guards = { keys: 2 * answered, rejected: 0, unbalanced: 0, gaps: 0 };
      if (isDeepStrictEqual({ ...found }, schema === "guarded" ? { ...books, ...guards } : books)) return;
      throw new Error(`${name}: ${answered} transfers were answered, and its database has ${JSON.stringify(found)}.`);
    },
    drop: () => dropDatabase(cluster.url, database),
  };
}
