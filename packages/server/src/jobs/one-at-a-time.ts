/** Work that never runs twice at once: who asks while a run waits for its turn shares that run. */

/** The given work, one run after the other. What a run sees is at least as new as the moment it was asked for. */
export function oneAtATime<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Value> | undefined;
  return () => {
    // A run that already started may have read too early for whoever asks now.
    waiting ??= last
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return work();
      });
    last = waiting;
    return waiting;
  };
}
