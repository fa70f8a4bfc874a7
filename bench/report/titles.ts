/** How a report names what was measured. */
import type { Load, SubjectName } from "../subject.ts";

export const subjectTitles: Readonly<Record<SubjectName, string>> = {
  tpcb: "TPC-B (pgbench, 8 clients)",
  tpcb1: "TPC-B (pgbench, 1 client)",
  sql: "SQL-function ledger",
  sql8: "SQL-function ledger (8 callers)",
  floor: "bare node:http POST",
  edge: "edge only",
  engine: "handler and engine without a database",
  e2e: "end to end",
  e2e2: "end to end, two nodes",
  sandbox: "the sandbox end to end",
  ledger: "ledger only",
  naive: "naive ledger only",
  handler: "handler only",
  oneWorker: "end to end, production, 1 worker",
  twoWorkers: "end to end, production, 2 workers",
};

/** Transfers by the spread alone. */
export const loadTitles: Readonly<Record<Load, string>> = {
  uniform: "uniform",
  zipf: "Zipf",
  hot: "hot",
  manyHolds: "captures of many holds",
  wholeHolds: "captures of whole holds",
  oneHold: "captures of one hold",
  rail0: "to another bank, rail of 0 ms",
  rail0Hot: "to another bank, rail of 0 ms, hot payer",
  rail50: "to another bank, rail of 50 ms",
  railSandbox: "to another bank, simulated rail",
};
