/** How many calls a window will make at most, so that what each needs can be made before. */
import type { Seen, Window } from "../subject.ts";

export interface CallGuess {
  of(window: Window): number;
  learn(seen: Seen): void;
}

const margin = 1.4;

/** By the fastest window so far; the first by a guess. */
export function createCallGuess(firstPerSecond: number): CallGuess {
  let fastestPerSecond = firstPerSecond;
  return {
    of: ({ seconds }) => Math.ceil(fastestPerSecond * seconds * margin),
    learn: ({ done, elapsedMs }) => {
      fastestPerSecond = Math.max(fastestPerSecond, done / (elapsedMs / 1_000));
    },
  };
}
