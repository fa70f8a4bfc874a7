/**
 * Measures the ledger, the service and what they are compared with, all in one run on one PostgreSQL cluster.
 * Ratios within a round are what counts: the machine's absolute speed changes from minute to minute.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cluster } from "./database/cluster.ts";
import { findInstalledPostgres, howToInstallPostgres } from "./database/installed-postgres.ts";
import { startCluster } from "./database/start-cluster.ts";
import { describeMachine } from "./machine.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { type PartResult, parts } from "./parts.ts";
import { planGroups } from "./plan.ts";
import { type CpuLayers, findCpuLayers, writeCpuReport } from "./report/cpu-layers.ts";
import { drawLayers } from "./report/layers-chart.ts";
import { writeAsked } from "./report/asked-table.ts";
import { findRatios, type Ratio } from "./report/ratios.ts";
import { writeDisturbed, writeReport } from "./report/write-report.ts";
import { type Result, runRounds } from "./run-rounds.ts";
import type { Subject } from "./subject.ts";
import { createEndToEnd } from "./subjects/end-to-end.ts";
import { createInProcess } from "./subjects/in-process.ts";
import { createHttpLayer } from "./subjects/http-layer.ts";
import { createSqlLedger } from "./subjects/sql-ledger.ts";
import { createTpcb } from "./subjects/tpcb.ts";
import { createWorkers } from "./subjects/workers.ts";
import { findPgbench, howToInstallPgbench } from "./pgbench/run-pgbench.ts";

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
  const machine = describeMachine(cluster, pgbench);
  const subjects: Subject[] = [];
  for (const start of startersOf(options, cluster, pgbench !== undefined)) subjects.push(await start());

  const groups = planGroups(subjects, options.callers, options.loads);
  const results = await runRounds({ ...options, subjects, groups, onProgress: tell });
  const layers = findCpuLayers(results);
  const ratios = options.callers.flatMap((callers) => findRatios(results, callers));
  const measured: PartResult[] = [];
  // What was measured is shown and kept before an audit begins: they are long, and nothing is lost when they are ended.
  const keep = (...report: readonly string[]) => {
    show(report);
    console.log(`Figures: ${save({ options, machine, results, ratios, layers, parts: measured })}`);
  };
  if (results.length > 0) keep(writeReport(results), ...layers.map(writeCpuReport));
  for (const subject of subjects) await subject.close();
  for (const name of options.parts) {
    await parts[name]({ ...options, cluster, onProgress: tell }, (part) => {
      measured.push(part);
      keep(part.report);
    });
  }
  const asked = writeAsked([...ratios, ...measured.flatMap(({ asked: of = [] }) => of)]);
  show([asked, writeDisturbed(results, options.othersMost)]);
  if (layers.length > 0) console.log(`Chart: ${saveChart(options.chart, layers)}`);
  if (pgbench === undefined && needsPgbench(options)) console.log(howToInstallPgbench);
}

function show(report: readonly string[]): void {
  const text = report.filter((part) => part !== "").join("\n\n");
  if (text !== "") console.log(`\n${text}\n`);
}

function startersOf(options: Options, cluster: Cluster, hasPgbench: boolean): readonly (() => Promise<Subject>)[] {
  const { accounts, tpcbScale } = options;
  const onProgress = tell;
  if (needsPgbench(options) && !hasPgbench) tell(howToInstallPgbench);
  const reported = (name: string, start: () => Promise<Subject>) => () => {
    tell(`preparing ${name}`);
    return start();
  };
  return options.subjects.flatMap((name) => {
    switch (name) {
      case "tpcb":
      case "tpcb1":
        if (!hasPgbench || (name === "tpcb1" && !options.callers.includes(1))) return [];
        return [reported(`${name}, scale ${tpcbScale}`, () => createTpcb({ name, cluster, scale: tpcbScale }))];
      case "sql":
      case "sql8":
        return hasPgbench ? [reported(name, () => createSqlLedger({ name, cluster, accounts }))] : [];
      case "floor":
      case "edge":
        return [reported(name, () => createHttpLayer({ name, cluster, accounts }))];
      case "e2e":
      case "e2e2":
      case "sandbox":
        return [reported(name, () => createEndToEnd({ name, cluster, accounts, onProgress }))];
      case "oneWorker":
      case "twoWorkers":
        return [reported(name, () => createWorkers({ name, cluster, accounts, onProgress }))];
      case "ledger":
      case "naive":
      case "handler":
      case "engine":
        return [reported(name, () => createInProcess({ name, cluster, accounts, onProgress }))];
    }
  });
}

function needsPgbench({ subjects }: Options): boolean {
  return (["tpcb", "tpcb1", "sql", "sql8"] as const).some((name) => subjects.includes(name));
}

interface Run {
  readonly options: Options;
  readonly machine: ReturnType<typeof describeMachine>;
  readonly results: readonly Result[];
  readonly ratios: readonly Ratio[];
  readonly layers: readonly CpuLayers[];
  readonly parts: readonly PartResult[];
}

/** The path of the file with everything the run has measured so far. */
function save({ options, machine, results, ratios, layers, parts: measured }: Run): string {
  const folder = fileURLToPath(new URL("./results/", import.meta.url));
  const path = `${folder}${date.slice(0, 19).replaceAll(":", "-")}.json`;
  // The URL of a given cluster may hold a password.
  const { clusterUrl: _, ...shown } = options;
  const figures = {
    date,
    options: shown,
    machine,
    ratios,
    results,
    cpuLayers: layers,
    ...measured.reduce<PartResult["figures"]>((all, part) => ({ ...all, ...part.figures }), {}),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 1)}\n`);
  return path;
}

/** Of the first number of callers; the path. */
function saveChart(path: string, [first]: readonly CpuLayers[]): string {
  mkdirSync(dirname(path), { recursive: true });
  if (first) writeFileSync(path, drawLayers(first));
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
