/** Runs test units, so many at once, and tells the report what comes of them. */
import { runUnit, type TestUnit, type UnitLimits } from "./run-unit.ts";
import type { TestReport } from "./report.ts";

export interface RunUnitsOptions {
  readonly units: readonly TestUnit[];
  readonly concurrency: number;
  /** Promise that a unit waits for before it starts; a rejection stops the run elsewhere. */
  readonly whatItNeeds?: (unit: TestUnit) => Promise<unknown>;
  readonly nodeOptions: readonly string[];
  readonly limits: UnitLimits;
  /** Ends what runs; what has not begun does not begin. */
  readonly signal: AbortSignal;
  readonly report: Pick<TestReport, "take" | "print" | "endUnit">;
}

export async function runUnits(options: RunUnitsOptions): Promise<void> {
  const { units, concurrency, whatItNeeds, report, ...rest } = options;
  const left = [...units];
  const runNext = async (): Promise<void> => {
    for (let unit = left.shift(); unit !== undefined && !rest.signal.aborted; unit = left.shift()) {
      const current = unit;
      await whatItNeeds?.(current);
      if (rest.signal.aborted) return;
      const end = await runUnit({
        ...rest,
        unit,
        onEvent: (event) => report.take(current, event),
        onOutput: (text) => report.print(current, text),
      });
      report.endUnit(current, end);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
}
