/**
 * Measures the service and what it is compared with, all in one run on one PostgreSQL cluster. Ratios within a round are what
 * counts: the machine's absolute speed changes from minute to minute.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findInstalledPostgres, howToInstallPostgres } from "./database/installed-postgres.ts";
import { startCluster } from "./database/start-cluster.ts";
import { describeMachine } from "./machine.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { type PartOptions, type PartResult, parts } from "./parts.ts";
import { findPgbench, howToInstallPgbench } from "./pgbench/run-pgbench.ts";
import { comparisonTable, writeDisturbed } from "./report/comparison-table.ts";
import { findCpuLayers, writeCpuReport } from "./report/cpu-layers.ts";
import { drawLayers } from "./report/layers-chart.ts";
import { peersTable } from "./report/peers-table.ts";
import { subjectTitles } from "./report/titles.ts";
import { runRounds } from "./run-rounds.ts";
import type { Subject, SubjectName } from "./subject.ts";
import { createEndToEnd } from "./subjects/end-to-end.ts";
import { createHttpLayer, createUsualService } from "./subjects/http-server.ts";
import { createInProcess } from "./subjects/in-process.ts";
import { createSqlFunctions, createTpcb } from "./subjects/pgbench.ts";

const startedAt = performance.now();
const date = new Date().toISOString();

function tell(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, "0")}  ${text}`);
}

async function run(options: Options): Promise<void> {
  const installed = options.postgres === "debian" ? findInstalledPostgres() : undefined;
  if (options.postgres === "debian" && installed === undefined) return tell(howToInstallPostgres);
  await using stack = new AsyncDisposableStack();
  const cluster = await startCluster({ given: options.clusterUrl, installed, onProgress: tell });
  stack.defer(() => cluster.stop());
  const pgbench = await findPgbench();
  if (pgbench === undefined) tell(howToInstallPgbench);
  const machine = describeMachine(cluster, pgbench);
  const measuring: PartOptions = { ...options, cluster, onProgress: tell };
  const subjects: Subject[] = [];
  for (const name of options.subjects) {
    if (pgbench === undefined && (name === "tpcb" || name === "sql")) continue;
    tell(`preparing ${name}`);
    subjects.push(await startSubject(name, measuring));
  }
  const results = await runRounds({ ...measuring, subjects });
  const layers = findCpuLayers(results);
  // The URL of a given cluster may hold a password.
  const { clusterUrl: _, ...shown } = options;
  let figures: PartResult["figures"] = { date, options: shown, machine, results };
  // Results are shown and kept before an audit begins: audits are long, and nothing is lost when they are ended.
  const publish = (result: PartResult) => {
    figures = { ...figures, ...result.figures };
    console.log(`\n${result.report}\n\nFigures: ${save(figures)}\n`);
  };
  if (results.length > 0) {
    const report = [
      comparisonTable(results),
      peersTable(results),
      ...layers.map(writeCpuReport),
      writeDisturbed(results, { ...options, titles: subjectTitles }),
    ];
    publish({ report: report.filter((text) => text !== "").join("\n\n"), figures: { cpuLayers: layers } });
  }
  const [first] = layers;
  if (first) {
    mkdirSync(dirname(options.chart), { recursive: true });
    writeFileSync(options.chart, drawLayers(first));
    tell(`chart: ${options.chart}`);
  }
  for (const subject of subjects) await subject.close();
  for (const name of options.parts) await parts[name](measuring, publish);
}

function startSubject(name: SubjectName, options: PartOptions): Promise<Subject> {
  switch (name) {
    case "tpcb":
      return createTpcb(options);
    case "sql":
      return createSqlFunctions(options);
    case "usual8":
    case "usual20":
    case "guarded8":
    case "guarded20":
      return createUsualService({ ...options, name });
    case "floor":
    case "edge":
      return createHttpLayer({ ...options, name });
    case "handler":
    case "engine":
      return createInProcess({ ...options, name });
    case "e2e":
    case "e2e2":
    case "twoWorkers":
    case "before":
    case "before2":
      return createEndToEnd({ ...options, name });
  }
}

/** The path of the file with everything the run has measured so far. */
function save(figures: PartResult["figures"]): string {
  const folder = fileURLToPath(new URL("./results/", import.meta.url));
  const path = `${folder}${date.slice(0, 19).replaceAll(":", "-")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 1)}\n`);
  return path;
}

const options = readOptions(process.argv.slice(2));
if (options === "help") {
  console.log(usage);
} else {
  const limit = setTimeout(() => {
    console.error(`The run was cut off after ${options.limitMinutes} minutes (--limit-minutes).`);
    process.exit(1);
  }, options.limitMinutes * 60_000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  await run(options);
  clearTimeout(limit);
}
