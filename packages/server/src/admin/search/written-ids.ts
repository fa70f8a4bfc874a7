/** Ids of records whose words this node has written, and their count by the second in which they were made. */
import { timeOf } from "../../basics/ids.ts";

/** About 40 MB. Those that are forgotten are written again. */
const most = 400_000;

export interface WrittenIds {
  has(id: string): boolean;
  /** Number of those made in this second (s since the epoch). */
  inSecond(second: number): number;
  add(id: string): void;
  /** Those made before the second of this id, which no walk reads any more, and the oldest of too many. */
  forgetBefore(id: string): void;
  clear(): void;
}

/** Second in which an id was made (s since the epoch). */
export function secondOf(id: string): number {
  return Math.floor(timeOf(id) / 1_000);
}

export function createWrittenIds(): WrittenIds {
  const ids = new Set<string>();
  const counts = new Map<number, number>();
  const remove = (id: string) => {
    ids.delete(id);
    const second = secondOf(id);
    const left = (counts.get(second) ?? 0) - 1;
    if (left > 0) counts.set(second, left);
    else counts.delete(second);
  };
  return {
    has: (id) => ids.has(id),
    inSecond: (second) => counts.get(second) ?? 0,
    add: (id) => {
      if (ids.has(id)) return;
      ids.add(id);
      const second = secondOf(id);
      counts.set(second, (counts.get(second) ?? 0) + 1);
    },
    forgetBefore: (id) => {
      const first = secondOf(id);
      let over = ids.size - most;
      for (const one of ids) if (secondOf(one) < first || (over -= 1) >= 0) remove(one);
    },
    clear: () => {
      ids.clear();
      counts.clear();
    },
  };
}
