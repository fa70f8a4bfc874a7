/** Which windows a run has, and in which order. */
import type { Subject, SubjectName, Spread } from "./subject.ts";

/** One subject under one load; measured once a round. */
export interface Cell {
  readonly subject: SubjectName;
  readonly spread: Spread;
  readonly callers: number;
}

/** The cells that are compared with each other: everybody under the same number of callers, TPC-B among them. */
export interface Group {
  readonly callers: number;
  readonly cells: readonly Cell[];
}

export function planGroups(subjects: readonly Subject[], callers: readonly number[]): readonly Group[] {
  return callers.map((count) => ({
    callers: count,
    cells: subjects.flatMap(({ name, spreads }) =>
      spreads.map((spread) => ({ subject: name, spread, callers: count })),
    ),
  }));
}

/** The cells of a round, starting with another one each time, so that none always follows the same neighbour's load. */
export function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
