/** Titles of a report for what was measured. */
import type { Load, SubjectName } from "../subject.ts";

export const subjectTitles: Readonly<Record<SubjectName, string>> = {
  e2e: "end to end",
  tpcb: "TPC-B (pgbench)",
  sql: "SQL-function ledger (pgbench)",
  usual8: "usual service, pool of 8",
  usual20: "usual service, pool of 20",
  guarded8: "guarded service, pool of 8",
  guarded20: "guarded service, pool of 20",
  e2e2: "end to end, two nodes",
  before: "end to end, before",
  before2: "end to end, two nodes, before",
  twoWorkers: "end to end, two workers",
  handler: "handler and engine",
  engine: "handler and engine without a database",
  edge: "edge only",
  floor: "bare node:http POST",
};

export const loadTitles: Readonly<Record<Load, string>> = {
  uniform: "uniform",
  hot: "hot",
  manyHolds: "captures of many holds",
  oneHold: "captures of one hold",
  rail0: "to another bank, rail of 0 ms",
  rail50: "to another bank, rail of 50 ms",
};
