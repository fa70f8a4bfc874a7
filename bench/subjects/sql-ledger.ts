/** A ledger of SQL functions, called directly by pgbench: no HTTP, no signature, no check of a request. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Cluster } from "../database/cluster.ts";
import { createDatabase, dropDatabase, query, vacuum } from "../database/databases.ts";
import { runPgbench } from "../pgbench/run-pgbench.ts";
import type { Subject } from "../subject.ts";
import { newRunId } from "../transfers/unique-ids.ts";
import { measure } from "./measure.ts";

export interface SqlLedgerOptions {
  /** `sql8`: 8 callers, however many the others have. */
  readonly name: "sql" | "sql8";
  readonly cluster: Cluster;
  readonly accounts: number;
}

const fileOf = (name: string) => fileURLToPath(new URL(`../sql-ledger/${name}.sql`, import.meta.url));
const scripts = { uniform: fileOf("uniform"), hot: fileOf("hot"), zipf: fileOf("zipf") } as const;
/** Connecting more takes so much CPU that what a transfer takes cannot be told from it. */
const connectionsMost = 32;
/** As the accounts of the other subjects have. */
const balance = 1_000_000_000_000;

const figures = `select (select count(*) from transfers)::int as transfers, (select count(*) from entries)::int as entries,
  (select count(*) from accounts where balance <> ${balance} + coalesce(
    (select sum(amount) from entries where account_id = accounts.id), 0))::int as wrong`;

export async function createSqlLedger({ name, cluster, accounts }: SqlLedgerOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const url = await createDatabase(cluster.url, database);
  await query(url, readFileSync(fileOf("schema"), "utf8"));
  await query(
    url,
    `insert into accounts (id, account_no, currency, balance)
      select n, '77' || lpad(n::text, 8, '0'), 'IDR', ${balance} from generate_series(1, ${accounts}) n`,
  );
  await vacuum(url);
  let answered = 0;
  return {
    name,
    loads: ["uniform", "zipf", "hot"],
    async run({ load, callers, seconds }) {
      if (load !== "uniform" && load !== "zipf" && load !== "hot") throw new Error(`Nothing here takes ${load}.`);
      const script = { path: scripts[load], variables: { accounts: String(accounts), run: newRunId(), n: "0" } };
      const clients = name === "sql8" ? 8 : callers;
      const measured = await measure({ cluster }, () =>
        runPgbench({ url, clients, seconds, script, logsLatencies: true }),
      );
      answered += measured.done;
      return clients > connectionsMost ? { ...measured, postgresUs: undefined, generatorUs: undefined } : measured;
    },
    async check() {
      const [row] = await query(url, figures);
      if (row?.["transfers"] === answered && row["entries"] === 2 * answered && row["wrong"] === 0) return;
      throw new Error(`${name}: ${answered} transfers were answered, and its database has ${JSON.stringify(row)}.`);
    },
    close: () => dropDatabase(cluster.url, database),
  };
}
