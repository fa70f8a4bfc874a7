/** Runs test units, so many at once, and tells the report what comes of them. */
import { cpus } from "node:os";
import { runUnit, type TestUnit, type UnitLimits } from "./run-unit.ts";
import type { TestReport } from "./report.ts";

export interface RunUnitsOptions {
  readonly units: readonly TestUnit[];
  readonly concurrency: number;
  /** Units that may run beside those while a part of the machine is idle; absent: none. */
  readonly more?: number;
  /** Promise that a unit waits for before it starts; a rejection stops the run elsewhere. */
  readonly whatItNeeds?: (unit: TestUnit) => Promise<unknown>;
  readonly nodeOptions: readonly string[];
  readonly limits: UnitLimits;
  /** Ends what runs; what has not begun does not begin. */
  readonly signal: AbortSignal;
  readonly report: Pick<TestReport, "take" | "print" | "endUnit">;
}

/** Part of the machine (0 to 1) that has to be idle for so long (ms) before one more begins. */
const idle = { least: 0.3, everyMs: 1_500 };

export async function runUnits(options: RunUnitsOptions): Promise<void> {
  const { units, concurrency, more = 0, whatItNeeds, report, ...rest } = options;
  const left = [...units];
  const runOne = async (unit: TestUnit): Promise<void> => {
    await whatItNeeds?.(unit);
    if (rest.signal.aborted) return;
    const end = await runUnit({
      ...rest,
      unit,
      onEvent: (event) => report.take(unit, event),
      onOutput: (text) => report.print(unit, text),
    });
    report.endUnit(unit, end);
  };
  const runNext = async (): Promise<void> => {
    for (let unit = left.shift(); unit !== undefined && !rest.signal.aborted; unit = left.shift()) await runOne(unit);
  };
  const beside = new Set<Promise<void>>();
  const idleShare = createIdleShare();
  const timer = setInterval(() => {
    const isIdle = idleShare() >= idle.least;
    const unit = isIdle && beside.size < more && !rest.signal.aborted ? left.shift() : undefined;
    if (unit === undefined) return;
    const running = runOne(unit).finally(() => beside.delete(running));
    beside.add(running);
  }, idle.everyMs);
  await Promise.all(Array.from({ length: concurrency }, runNext)).finally(() => clearInterval(timer));
  await Promise.all(beside);
}

/** Part of the machine that was idle since the last call (0 to 1). */
function createIdleShare(): () => number {
  const read = () => {
    const times = cpus().map((cpu) => cpu.times);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return { idle: sum(times.map((one) => one.idle)), all: sum(times.flatMap((one) => Object.values(one))) };
  };
  let last = read();
  return () => {
    const [before, now] = [last, read()];
    last = now;
    return (now.idle - before.idle) / Math.max(1, now.all - before.all);
  };
}
