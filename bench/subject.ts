/** Subjects: each carries out calls (or TPC-B transactions) for one window and tells what it saw. */

export const subjectNames = [
  "e2e",
  "tpcb",
  "sql",
  "usual8",
  "usual20",
  "guarded8",
  "guarded20",
  "e2e2",
  "before",
  "before2",
  "twoWorkers",
  "handler",
  "engine",
  "edge",
  "floor",
] as const;
export type SubjectName = (typeof subjectNames)[number];

/** Loads of transfers within the bank. uniform: both accounts at random; hot: one account is always on one side. */
export const transferLoads = ["uniform", "hot"] as const;
/**
 * Loads of captures, each of a part of its hold. manyHolds: open holds at random; oneHold: of one until it has had as
 * many as it may.
 */
export const captureLoads = ["manyHolds", "oneHold"] as const;
/** Loads of transfers to another bank, over a rail that answers after so many ms. */
export const railLoads = ["rail0", "rail50"] as const;

export const loadNames = [...transferLoads, ...captureLoads, ...railLoads] as const;
export type Load = (typeof loadNames)[number];
export type CaptureLoad = (typeof captureLoads)[number];

export function isCapture(load: Load): load is CaptureLoad {
  return captureLoads.some((name) => name === load);
}

/** True when money leaves the bank. */
export function isRail(load: Load): boolean {
  return railLoads.some((name) => name === load);
}

export interface Window {
  readonly load: Load;
  /** Calls under way at any time of a closed loop: each caller makes its next call when it has its response. */
  readonly callers: number;
  readonly seconds: number;
  /**
   * Rate of an open loop: calls arrive at random, so many a second, and `callers` is how many connections there are.
   * Requests are signed while they are sent: such a window is too long to sign all before.
   */
  readonly perSecond?: number;
  /** The window ends after so many calls, which name all accounts in turn: it warms up, and its figures are none. */
  readonly calls?: number;
}

/**
 * Figures that the process that makes the calls saw. Every call was answered with success, or the window has failed.
 */
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
  /** Bytes that the cluster wrote to its log, a call. */
  readonly walBytes: number | undefined;
  /** Share of the whole machine, 0 to 1, that was not idle. */
  readonly busyShare: number | undefined;
  /** Share of the whole machine, 0 to 1, that went to processes with no part in the run. */
  readonly othersShare: number | undefined;
}

/** CPU of everybody who took part, a call: what bounds the rate when the machine is full. */
export function allCpuUs({ postgresUs, nodeUs = 0, generatorUs = 0 }: Measured): number | undefined {
  return postgresUs === undefined ? undefined : postgresUs + nodeUs + generatorUs;
}

export interface Subject<Name extends string = SubjectName> {
  readonly name: Name;
  readonly loads: readonly Load[];
  /** Gets ready outside the measured time, then measures. */
  run(window: Window): Promise<Measured>;
  /** Throws when the database does not hold exactly what was answered. */
  check(): Promise<void>;
  close(): Promise<void>;
}
