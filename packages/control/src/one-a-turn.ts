import { setImmediate as nextTurn } from "node:timers/promises";

/** Resolves for one caller in each turn of the event loop: payments have theirs between control calls that come together. */
export function oneATurn(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => nextTurn());
    await last;
  };
}
