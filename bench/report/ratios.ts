/** The comparisons a run answers, each within one round and one number of callers: absolute figures mean little. */
import type { Result } from "../run-rounds.ts";
import type { Asked } from "./judge.ts";
import { loadTitles, subjectTitles } from "./titles.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import {
  type CaptureLoad,
  type Load,
  type Measured,
  type RailLoad,
  railLoads,
  type SubjectName,
  type TransferLoad,
  transferLoads,
} from "../subject.ts";

export interface Ratio {
  /** What is divided by what. */
  readonly name: string;
  readonly callers: number;
  /** What is asked of the median, if anything. */
  readonly asked?: Asked;
  readonly value: Spreaded;
}

/** Callers. */
const askedFrom = 256;

interface Side {
  readonly subject: SubjectName;
  readonly load: Load;
  readonly figure: (window: Measured) => number | undefined;
}

interface Comparison {
  readonly name: string;
  readonly over: Side;
  readonly under: Side;
  /** Asked with 256 callers and more; of a latency, with one. */
  readonly asked?: Asked;
}

const rate = (subject: SubjectName, load: Load): Side => ({
  subject,
  load,
  figure: (window) => window.perSecond,
});

const postgresCpu = (subject: SubjectName, load: Load): Side => ({
  subject,
  load,
  figure: (window) => window.postgresUs,
});

/** Of everybody who takes part: what bounds the rate when the machine is full. */
const allCpu = (subject: SubjectName, load: Load): Side => ({
  subject,
  load,
  figure: ({ postgresUs, nodeUs = 0, generatorUs = 0 }) =>
    postgresUs === undefined ? undefined : postgresUs + nodeUs + generatorUs,
});

const nodeCpu = (subject: SubjectName): Side => ({ subject, load: "uniform", figure: (window) => window.nodeUs });

const p50 = (subject: SubjectName): Side => ({ subject, load: "uniform", figure: (window) => window.p50Ms });

const comparisons: readonly Comparison[] = [
  {
    name: "Node CPU: end to end, uniform / bare node:http POST",
    over: nodeCpu("e2e"),
    under: nodeCpu("floor"),
    asked: { most: 2.6 },
  },
  {
    name: "PostgreSQL CPU: end to end, uniform / TPC-B",
    over: postgresCpu("e2e", "uniform"),
    under: postgresCpu("tpcb", "uniform"),
    asked: { most: 0.24 },
  },
  {
    name: "end to end, uniform / TPC-B",
    over: rate("e2e", "uniform"),
    under: rate("tpcb", "uniform"),
    asked: { least: 2 },
  },
  {
    name: "CPU of all processes: TPC-B / end to end, uniform",
    over: allCpu("tpcb", "uniform"),
    under: allCpu("e2e", "uniform"),
    asked: { least: 2 },
  },
  {
    name: "p50: end to end, uniform / TPC-B with one client",
    over: p50("e2e"),
    under: p50("tpcb1"),
    asked: { most: 1.2 },
  },
  { name: "end to end, hot / TPC-B", over: rate("e2e", "hot"), under: rate("tpcb", "uniform") },
  {
    name: "end to end, hot / end to end, uniform",
    over: rate("e2e", "hot"),
    under: rate("e2e", "uniform"),
    asked: { least: 1 },
  },
  ...[...transferLoads, ...railLoads].map((load) => ({
    name: `two nodes / one, end to end, ${loadTitles[load]}`,
    over: rate("e2e2", load),
    under: rate("e2e", load),
  })),
  { name: "end to end, Zipf / end to end, uniform", over: rate("e2e", "zipf"), under: rate("e2e", "uniform") },
  ...sqlComparisons("sql8"),
  ...sqlComparisons("sql"),
  {
    name: "end to end, uniform: 2 workers / 1",
    over: rate("twoWorkers", "uniform"),
    under: rate("oneWorker", "uniform"),
    asked: { least: 1 },
  },
  {
    name: "end to end, hot: 2 workers / 1",
    over: rate("twoWorkers", "hot"),
    under: rate("oneWorker", "hot"),
    asked: { least: 0.95 },
  },
  {
    name: "ledger only, uniform / naive ledger only, uniform",
    over: rate("ledger", "uniform"),
    under: rate("naive", "uniform"),
    asked: { least: 4 },
  },
  {
    name: "ledger only, hot / naive ledger only, hot",
    over: rate("ledger", "hot"),
    under: rate("naive", "hot"),
    asked: { least: 4 },
  },
  {
    name: "end to end, uniform / naive ledger only, uniform (naive pays for no HTTP)",
    over: rate("e2e", "uniform"),
    under: rate("naive", "uniform"),
  },
  {
    name: "end to end, hot / naive ledger only, hot (naive pays for no HTTP)",
    over: rate("e2e", "hot"),
    under: rate("naive", "hot"),
  },
  { name: "ledger only, hot / ledger only, uniform", over: rate("ledger", "hot"), under: rate("ledger", "uniform") },
  { name: "ledger only, uniform / TPC-B", over: rate("ledger", "uniform"), under: rate("tpcb", "uniform") },
  { name: "naive ledger only, uniform / TPC-B", over: rate("naive", "uniform"), under: rate("tpcb", "uniform") },
  {
    name: "CPU of all processes: TPC-B / end to end, hot",
    over: allCpu("tpcb", "uniform"),
    under: allCpu("e2e", "hot"),
  },
  {
    name: "CPU of all processes: naive, uniform / ledger only, uniform",
    over: allCpu("naive", "uniform"),
    under: allCpu("ledger", "uniform"),
  },
  {
    name: "PostgreSQL CPU: TPC-B / ledger only, uniform",
    over: postgresCpu("tpcb", "uniform"),
    under: postgresCpu("ledger", "uniform"),
  },
  {
    name: "PostgreSQL CPU: naive, uniform / ledger only, uniform",
    over: postgresCpu("naive", "uniform"),
    under: postgresCpu("ledger", "uniform"),
  },
  ...captureComparisons("e2e"),
  ...captureComparisons("ledger"),
  ...railComparisons("e2e"),
  ...railComparison("sandbox", "railSandbox", { subject: "e2e", load: "uniform" }),
  ...railComparisons("handler"),
];

/** The whole service beside a ledger that pays for no HTTP and no check of a request. */
function sqlComparisons(subject: "sql" | "sql8"): readonly Comparison[] {
  const compare = (load: TransferLoad, asked?: Asked): Comparison => ({
    name: `end to end, ${loadTitles[load]} / ${subjectTitles[subject]}, ${loadTitles[load]}`,
    over: rate("e2e", load),
    under: rate(subject, load),
    ...(asked !== undefined && { asked }),
  });
  return [compare("uniform", { least: 3 }), compare("zipf"), compare("hot", { least: 8 })];
}

/** Transfers that leave the bank beside those that do not, both on the same way. */
function railComparisons(subject: "e2e" | "handler"): readonly Comparison[] {
  return [
    ...railComparison(subject, "rail0", { subject, load: "uniform" }),
    ...railComparison(subject, "rail0Hot", { subject, load: "hot" }),
    ...railComparison(subject, "rail50", { subject, load: "uniform" }),
  ];
}

function railComparison(
  subject: SubjectName,
  load: RailLoad,
  within: { readonly subject: SubjectName; readonly load: TransferLoad },
): readonly Comparison[] {
  const other = within.subject === subject ? "" : `${subjectTitles[within.subject]} `;
  const name = `${subjectTitles[subject]}: ${loadTitles[load]} / ${other}within the bank, ${within.load}`;
  return [
    { name, over: rate(subject, load), under: rate(within.subject, within.load) },
    { name: `CPU of all processes, ${name}`, over: allCpu(subject, load), under: allCpu(within.subject, within.load) },
  ];
}

/** Captures beside transfers through the same process and into the same database. */
function captureComparisons(subject: "e2e" | "ledger"): readonly Comparison[] {
  const title = subjectTitles[subject];
  const rates = (capture: CaptureLoad, transfer: TransferLoad, asked?: Asked): Comparison => ({
    name: `${title}: ${loadTitles[capture]} / ${transfer} transfers`,
    over: rate(subject, capture),
    under: rate(subject, transfer),
    ...(asked !== undefined && { asked }),
  });
  const cpu = (capture: CaptureLoad): Comparison => ({
    name: `${title}: CPU of all processes, uniform transfers / ${loadTitles[capture]}`,
    over: allCpu(subject, "uniform"),
    under: allCpu(subject, capture),
  });
  return [
    rates("manyHolds", "uniform", { least: 0.7 }),
    rates("wholeHolds", "uniform", { least: 0.7 }),
    rates("oneHold", "uniform", { least: 0.7 }),
    rates("oneHold", "hot"),
    cpu("manyHolds"),
    cpu("wholeHolds"),
    cpu("oneHold"),
  ];
}

/** The ratios whose two sides were measured. */
export function findRatios(results: readonly Result[], callers: number): readonly Ratio[] {
  return comparisons.flatMap(({ name, over, under, asked }) => {
    const overs = windowsOf(results, over, callers);
    const unders = windowsOf(results, under, callers);
    const value = summarize(
      overs.map((window, round) => {
        const other = unders[round];
        return other && divide(over.figure(window), under.figure(other));
      }),
    );
    const isAsked = asked !== undefined && (callers >= askedFrom || under.subject === "tpcb1");
    return value === undefined ? [] : [{ name, callers, value, ...(isAsked && { asked }) }];
  });
}

function windowsOf(results: readonly Result[], { subject, load }: Side, callers: number): readonly Measured[] {
  const found = results.find(({ cell }) => cell.subject === subject && cell.load === load && cell.callers === callers);
  return found?.windows ?? [];
}

function divide(over: number | undefined, under: number | undefined): number | undefined {
  return over === undefined || under === undefined || under === 0 ? undefined : over / under;
}
