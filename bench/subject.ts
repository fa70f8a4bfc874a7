/** What is measured: a subject carries out calls (or TPC-B transactions) for one window and tells what it saw. */

export const subjectNames = ["tpcb", "e2e", "ledger", "naive"] as const;
export type SubjectName = (typeof subjectNames)[number];

/** Of transfers. uniform: both accounts at random; hot: one account is always on one side. */
export const transferLoads = ["uniform", "hot"] as const;
export type TransferLoad = (typeof transferLoads)[number];

/**
 * Of captures, each of a part of its hold but in wholeHolds. manyHolds: of open holds at random, between accounts at
 * random; wholeHolds: all of a hold of its own; oneHold: all on the same, between the same two accounts.
 */
export const captureLoads = ["manyHolds", "wholeHolds", "oneHold"] as const;
export type CaptureLoad = (typeof captureLoads)[number];

export const loadNames = [...transferLoads, ...captureLoads] as const;
export type Load = TransferLoad | CaptureLoad;

export function isCapture(load: Load): load is CaptureLoad {
  return captureLoads.some((name) => name === load);
}

export interface Window {
  readonly load: Load;
  /** Calls in the air at any time: each caller makes its next call when it has its answer. */
  readonly callers: number;
  readonly seconds: number;
}

/** What the process that makes the calls saw. Every call was answered with success, or the window has failed. */
export interface Seen {
  readonly done: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A window with the CPU of everybody who took part; undefined where nobody tells. */
export interface Measured {
  readonly done: number;
  readonly perSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Microseconds of CPU a call: all processes of the PostgreSQL cluster. */
  readonly postgresUs: number | undefined;
  /** The Node process under test: the service, or the process that holds the engine and its callers. */
  readonly nodeUs: number | undefined;
  /** The load generator, where it is a process of its own. */
  readonly generatorUs: number | undefined;
  /** Share of the whole machine, 0 to 1, that went to processes with no part in the run. */
  readonly othersShare: number | undefined;
}

export interface Subject {
  readonly name: SubjectName;
  readonly loads: readonly Load[];
  /** Whether the number of callers is its own (pgbench: 8 clients). */
  readonly hasOwnCallers: boolean;
  /** Gets ready outside the measured time, then measures. */
  run(window: Window): Promise<Measured>;
  /** Throws when the database does not hold exactly what was answered. */
  check(): Promise<void>;
  close(): Promise<void>;
}
