/** Waiting commands by partner; partners take turns, so that a busy one delays the others by one command at most. */
import type { Pending } from "./queue.ts";

export interface Turns {
  size(): number;
  sizeOf(partner: string): number;
  push(partner: string, pending: Pending): void;
  /** The command whose turn it is. */
  first(): Pending | undefined;
  /** Takes it out; its partner goes to the end of the line. */
  shift(): void;
  /** Takes out what the test picks. */
  drop(isOver: (pending: Pending) => boolean): readonly Pending[];
}

export function createTurns(): Turns {
  // A map keeps the order in which partners were put in: the first one's turn is next.
  const lines = new Map<string, Pending[]>();
  let size = 0;
  return {
    size: () => size,
    sizeOf: (partner) => lines.get(partner)?.length ?? 0,
    push: (partner, pending) => {
      const line = lines.get(partner);
      if (line) line.push(pending);
      else lines.set(partner, [pending]);
      size += 1;
    },
    first: () => lines.values().next().value?.[0],
    shift: () => {
      const next = lines.entries().next().value;
      if (!next) return;
      const [partner, line] = next;
      lines.delete(partner);
      line.shift();
      size -= 1;
      if (line.length > 0) lines.set(partner, line);
    },
    drop: (isOver) => {
      const out: Pending[] = [];
      for (const [partner, line] of lines) {
        const late = line.filter(isOver);
        if (late.length === 0) continue;
        const kept = line.filter((pending) => !isOver(pending));
        if (kept.length > 0) lines.set(partner, kept);
        else lines.delete(partner);
        out.push(...late);
      }
      size -= out.length;
      return out;
    },
  };
}
