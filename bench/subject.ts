/** What is measured: a subject carries out calls (or TPC-B transactions) for one window and tells what it saw. */

export const subjectNames = [
  "tpcb",
  "tpcb1",
  "sql",
  "sql8",
  "floor",
  "edge",
  "engine",
  "handler",
  "ledger",
  "naive",
  "e2e",
  "e2e2",
  "sandbox",
  "oneWorker",
  "twoWorkers",
] as const;
export type SubjectName = (typeof subjectNames)[number];

/** Of transfers. uniform, zipf: both accounts at random, evenly or by Zipf's law; hot: one account is always on one side. */
export const transferLoads = ["uniform", "zipf", "hot"] as const;
export type TransferLoad = (typeof transferLoads)[number];

/**
 * Of captures, each of a part of its hold but in wholeHolds. manyHolds: of open holds at random, between accounts at
 * random; wholeHolds: all of a hold of its own; oneHold: all on the same, until it has had as many as one may have.
 */
export const captureLoads = ["manyHolds", "wholeHolds", "oneHold"] as const;
export type CaptureLoad = (typeof captureLoads)[number];

/** Of transfers to another bank: the payer at random or the hot one, and a rail that answers after so many ms. */
export const railLoads = ["rail0", "rail0Hot", "rail50"] as const;
/** To another bank over the rail that the sandbox simulates: what an integrator meets. */
export const sandboxLoads = ["railSandbox"] as const;
export type RailLoad = (typeof railLoads | typeof sandboxLoads)[number];

/** What the ledger takes as single commands. */
export const commandLoads = [...transferLoads, ...captureLoads] as const;
export const loadNames = [...commandLoads, ...railLoads, ...sandboxLoads] as const;
export type Load = TransferLoad | CaptureLoad | RailLoad;

export function isCapture(load: Load): load is CaptureLoad {
  return captureLoads.some((name) => name === load);
}

/** Whether money leaves the bank. */
export function isRail(load: Load): load is RailLoad {
  return [...railLoads, ...sandboxLoads].some((name) => name === load);
}

export function spreadOf(load: TransferLoad | RailLoad): TransferLoad {
  if (load === "rail0Hot") return "hot";
  return isRail(load) ? "uniform" : load;
}

/** How long the benches' rail takes to answer. */
export function railAnswerMs(load: Load): number {
  return load === "rail50" ? 50 : 0;
}

/** pgbench's own transactions, whatever the load. */
export function isTpcb(subject: SubjectName): boolean {
  return subject === "tpcb" || subject === "tpcb1";
}

export interface Window {
  readonly load: Load;
  /** Calls under way at any time of a closed loop: each caller makes its next call when it has its answer. */
  readonly callers: number;
  readonly seconds: number;
  /** Of an open loop: calls arrive at random, so many a second, and `callers` is how many connections there are. */
  readonly perSecond?: number;
  /** Whether requests are signed while they are sent, as a window needs that is too long to sign all before. */
  readonly signsMeanwhile?: boolean;
}

/** What the process that makes the calls saw. Every call was answered with success, or the window has failed. */
export interface Seen {
  readonly done: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peaks?: Peaks;
}

/** The most that was there at once; end to end as far as looks at it every 2 ms have seen. */
export interface Peaks {
  /** Commands of callers that waited for a batch. */
  readonly callers: number;
  /** Commands nobody sent, among them what a rail said: they wait in a queue of their own. */
  readonly jobs: number;
  /** Transfers to another bank that were accepted and not yet answered. */
  readonly transfers: number;
}

/** Of a service in a process of its own. */
export interface NodePeaks extends Peaks {
  /** The longest that the event loop was blocked. */
  readonly longestBlockMs: number;
  readonly rss: MemoryUse;
  readonly heap: MemoryUse;
}

/** MiB. */
export interface MemoryUse {
  readonly before: number;
  readonly most: number;
  readonly after: number;
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
  /** Bytes that the cluster wrote to its log, a call. */
  readonly walBytes: number | undefined;
  /** Share of the whole machine, 0 to 1, that was not idle. */
  readonly busyShare: number | undefined;
  /** Share of the whole machine, 0 to 1, that went to processes with no part in the run. */
  readonly othersShare: number | undefined;
  /** Where the process under test tells them. */
  readonly peaks?: Peaks;
}

export interface Subject {
  readonly name: SubjectName;
  readonly loads: readonly Load[];
  /** The number of callers that it belongs beside; absent: any. */
  readonly onlyWith?: number;
  /** Gets ready outside the measured time, then measures. */
  run(window: Window): Promise<Measured>;
  /** Throws when the database does not hold exactly what was answered. */
  check(): Promise<void>;
  close(): Promise<void>;
}
