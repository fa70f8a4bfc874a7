/** The reference everybody can run: pgbench's TPC-B, prepared, with 8 clients on 2 threads, or with one. */
import type { Cluster } from "../database/cluster.ts";
import { createDatabase, dropDatabase } from "../database/databases.ts";
import { initializePgbench, runPgbench } from "../pgbench/run-pgbench.ts";
import type { Subject } from "../subject.ts";
import { measure } from "./measure.ts";

const clients = { tpcb: 8, tpcb1: 1 } as const;

export interface TpcbOptions {
  readonly name: keyof typeof clients;
  readonly cluster: Cluster;
  readonly scale: number;
}

export async function createTpcb({ name, cluster, scale }: TpcbOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const url = await createDatabase(cluster.url, database);
  await initializePgbench(url, scale);
  const logsLatencies = name === "tpcb1";
  return {
    name,
    loads: ["uniform"],
    ...(name === "tpcb1" && { onlyWith: 1 }),
    run: ({ seconds }) =>
      measure({ cluster }, () => runPgbench({ url, clients: clients[name], seconds, logsLatencies })),
    check: () => Promise.resolve(),
    close: () => dropDatabase(cluster.url, database),
  };
}
