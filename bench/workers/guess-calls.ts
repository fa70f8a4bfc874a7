/** Number of calls that a window will make at most, so that what each needs can be made before. */
import type { Seen, Window } from "../subject.ts";

export interface CallGuess {
  of(window: Window): number;
  learn(window: Window, seen: Seen): void;
}

const margin = 2;

/** By the fastest window under the same load and as many callers; the first by a guess. */
export function createCallGuess(firstPerSecond: number): CallGuess {
  const fastestPerSecond = new Map<string, number>();
  const keyOf = ({ load, callers }: Window) => `${load} ${callers}`;
  return {
    of: (window) => Math.ceil((fastestPerSecond.get(keyOf(window)) ?? firstPerSecond) * window.seconds * margin),
    learn: (window, { done, elapsedMs }) => {
      const perSecond = done / (elapsedMs / 1_000);
      fastestPerSecond.set(keyOf(window), Math.max(fastestPerSecond.get(keyOf(window)) ?? 0, perSecond));
    },
  };
}
