/** The reference everybody can run: pgbench's TPC-B, 8 clients on 2 threads, prepared statements. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Cluster } from "../database/cluster.ts";
import { createDatabase, dropDatabase } from "../database/databases.ts";
import type { Subject } from "../subject.ts";
import { type Calls, measure } from "./measure.ts";

const run = promisify(execFile);
const database = "bench_tpcb";

export const howToInstallPgbench =
  "pgbench is not installed: TPC-B and every ratio to it are left out. " +
  "On Debian and Ubuntu: apt-get install postgresql-contrib; on Fedora: dnf install postgresql-contrib; on macOS: brew install postgresql.";

/** pgbench's version, or undefined when it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  try {
    return (await run("pgbench", ["--version"])).stdout.trim();
  } catch {
    return undefined;
  }
}

export async function createTpcb(cluster: Cluster, scale: number): Promise<Subject> {
  const url = await createDatabase(cluster.url, database);
  await run("pgbench", ["--initialize", "--quiet", "--scale", String(scale), url]);
  return {
    name: "tpcb",
    loads: ["uniform"],
    hasOwnCallers: true,
    async run({ seconds }) {
      // pgbench counts whole seconds only.
      const length = String(Math.max(1, Math.round(seconds)));
      const args = ["--client", "8", "--jobs", "2", "--protocol", "prepared", "--no-vacuum", "--time", length];
      return measure({ cluster }, async () => readReport((await run("pgbench", [...args, url])).stdout));
    },
    check: () => Promise.resolve(),
    close: () => dropDatabase(cluster.url, database),
  };
}

/** pgbench tells no percentiles: they would need a log of every transaction. */
function readReport(report: string): Calls {
  return {
    done: readFigure(report, /actually processed: (\d+)/),
    perSecond: readFigure(report, /tps = ([\d.]+) \(without initial connection time\)/),
    p50Ms: undefined,
    p99Ms: undefined,
  };
}

function readFigure(report: string, pattern: RegExp): number {
  const figure = pattern.exec(report)?.[1];
  if (figure === undefined) throw new Error(`pgbench's report could not be read: it has no ${pattern}.\n${report}`);
  return Number(figure);
}
