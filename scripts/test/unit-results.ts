/** Counts and failures of each unit of tests. A unit that runs again counts by its last run. */
import type { TestUnit } from "./run-unit.ts";

export const countNames = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
export type CountName = (typeof countNames)[number];

export interface UnitResult {
  readonly counts: Record<CountName, number>;
  /** A text each, its first line what failed and where. */
  readonly failures: string[];
  filesEnded: number;
}

export interface UnitResults {
  of(unit: TestUnit): UnitResult;
  total(name: CountName): number;
  filesEnded(): number;
  failures(): readonly string[];
  failedUnits(): readonly TestUnit[];
  takeBack(units: readonly TestUnit[]): void;
  /** Failures of what was taken back. */
  unsteady(): readonly string[];
}

const none = Object.fromEntries(countNames.map((name) => [name, 0])) as UnitResult["counts"];

export function createUnitResults(): UnitResults {
  const results = new Map<TestUnit, UnitResult>();
  const unsteady: string[] = [];
  const all = () => [...results.values()];
  return {
    of: (unit) => {
      const result = results.get(unit) ?? { counts: { ...none }, failures: [], filesEnded: 0 };
      results.set(unit, result);
      return result;
    },
    total: (name) => sum(all().map(({ counts }) => counts[name])),
    filesEnded: () => sum(all().map(({ filesEnded }) => filesEnded)),
    failures: () => all().flatMap(({ failures }) => failures),
    failedUnits: () => [...results].filter(([, { failures }]) => failures.length > 0).map(([unit]) => unit),
    takeBack: (units) => {
      for (const unit of units) {
        unsteady.push(...(results.get(unit)?.failures ?? []));
        results.delete(unit);
      }
    },
    unsteady: () => unsteady,
  };
}

const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
