/** Which windows a run has, and in which order. */
import type { Load, Subject, SubjectName } from "./subject.ts";

/** One subject under one load; measured once a round. */
export interface Cell {
  readonly subject: SubjectName;
  readonly load: Load;
  readonly callers: number;
}

/** The cells that are compared with each other: everybody under the same number of callers, TPC-B among them. */
export interface Group {
  readonly callers: number;
  readonly cells: readonly Cell[];
}

export function planGroups(
  subjects: readonly Subject[],
  callers: readonly number[],
  wanted: readonly Load[],
): readonly Group[] {
  return callers.map((count) => ({
    callers: count,
    cells: subjects
      .filter(({ onlyWith = count }) => onlyWith === count)
      .flatMap(({ name, loads }) =>
        loads.filter((load) => wanted.includes(load)).map((load) => ({ subject: name, load, callers: count })),
      ),
  }));
}

/** The cells of a round, starting with another one each time, so that none always follows the same neighbour's load. */
export function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
