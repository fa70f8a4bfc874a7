/** The comparisons a run answers, each within one round and one number of callers: absolute figures mean little. */
import type { Result } from "../run-rounds.ts";
import { loadTitles, subjectTitles } from "./titles.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import type { CaptureLoad, Load, Measured, RailLoad, SubjectName, TransferLoad } from "../subject.ts";

export interface Ratio {
  /** What is divided by what. */
  readonly name: string;
  readonly callers: number;
  /** The least median asked for, if any. */
  readonly asked?: number;
  readonly value: Spreaded;
}

interface Side {
  readonly subject: SubjectName;
  readonly load: Load;
  readonly figure: (window: Measured) => number | undefined;
}

interface Comparison {
  readonly name: string;
  readonly over: Side;
  readonly under: Side;
  readonly asked?: number;
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

const comparisons: readonly Comparison[] = [
  {
    name: "end to end, uniform / TPC-B",
    over: rate("e2e", "uniform"),
    under: rate("tpcb", "uniform"),
    asked: 2,
  },
  { name: "end to end, hot / TPC-B", over: rate("e2e", "hot"), under: rate("tpcb", "uniform") },
  {
    name: "end to end, hot / end to end, uniform",
    over: rate("e2e", "hot"),
    under: rate("e2e", "uniform"),
    asked: 0.9,
  },
  {
    name: "end to end, uniform: 2 workers / 1",
    over: rate("twoWorkers", "uniform"),
    under: rate("oneWorker", "uniform"),
    asked: 1,
  },
  {
    name: "end to end, hot: 2 workers / 1",
    over: rate("twoWorkers", "hot"),
    under: rate("oneWorker", "hot"),
    asked: 0.95,
  },
  {
    name: "ledger only, uniform / naive ledger only, uniform",
    over: rate("ledger", "uniform"),
    under: rate("naive", "uniform"),
    asked: 4,
  },
  {
    name: "ledger only, hot / naive ledger only, hot",
    over: rate("ledger", "hot"),
    under: rate("naive", "hot"),
    asked: 4,
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
    name: "CPU of all processes: TPC-B / end to end, uniform",
    over: allCpu("tpcb", "uniform"),
    under: allCpu("e2e", "uniform"),
  },
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
  const rates = (capture: CaptureLoad, transfer: TransferLoad, asked?: number): Comparison => ({
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
    rates("manyHolds", "uniform", 0.7),
    rates("wholeHolds", "uniform", 0.7),
    rates("oneHold", "uniform", 0.7),
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
    return value === undefined ? [] : [{ name, callers, value, ...(asked !== undefined && { asked }) }];
  });
}

function windowsOf(results: readonly Result[], { subject, load }: Side, callers: number): readonly Measured[] {
  const found = results.find(({ cell }) => cell.subject === subject && cell.load === load && cell.callers === callers);
  return found?.windows ?? [];
}

function divide(over: number | undefined, under: number | undefined): number | undefined {
  return over === undefined || under === undefined || under === 0 ? undefined : over / under;
}
