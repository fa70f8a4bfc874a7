/**
 * Calls of pgbench itself, without HTTP, signatures or checks of a request: its own TPC-B, the reference everybody can
 * run, or the ledger of SQL functions. With as many clients as there are callers, up to a few.
 */
import { fileURLToPath } from "node:url";
import type { Cluster } from "../database/cluster.ts";
import { createDatabase, dropDatabase } from "../database/databases.ts";
import { clientsMost, initializePgbench, runPgbench } from "../pgbench/run-pgbench.ts";
import { createSqlLedger } from "../sql-ledger/create-sql-ledger.ts";
import { type Subject, transferLoads } from "../subject.ts";
import { newRunId } from "../transfers/unique-ids.ts";
import { measure } from "./measure.ts";

export interface PgbenchSubject {
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly tpcbScale: number;
}

const clientsOf = (callers: number) => Math.min(callers, clientsMost);

export async function createTpcb({ cluster, tpcbScale }: PgbenchSubject): Promise<Subject> {
  const database = "bench_tpcb";
  const url = await createDatabase(cluster.url, database);
  await initializePgbench(url, tpcbScale);
  return {
    name: "tpcb",
    loads: ["uniform"],
    run: ({ callers, seconds, calls }) =>
      measure({ cluster }, () => runPgbench({ url, clients: clientsOf(callers), seconds, calls })),
    check: () => Promise.resolve(),
    close: () => dropDatabase(cluster.url, database),
  };
}

export async function createSqlFunctions({ cluster, accounts }: PgbenchSubject): Promise<Subject> {
  const { url, check, drop } = await createSqlLedger({ cluster, name: "sql", accounts, schema: "usual" });
  let answered = 0;
  return {
    name: "sql",
    loads: transferLoads,
    run: async ({ load, callers, seconds, calls }) => {
      const path = fileURLToPath(new URL(`../sql-ledger/${load}.sql`, import.meta.url));
      const script = { path, variables: { accounts: String(accounts), run: newRunId(), n: "0" } };
      const measured = await measure({ cluster }, () =>
        runPgbench({ url, clients: clientsOf(callers), seconds, calls, script }),
      );
      answered += measured.done;
      return measured;
    },
    check: () => check(answered),
    close: drop,
  };
}
