/** Small pieces of work done together: what is asked for while a group is under way makes the next one. */

interface Waiting<Item, Value> {
  readonly item: Item;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The work on one item, done with others that wait, at most so many at once. `work` returns one value an item, in their
 * order; a group that fails is done again piece by piece, so that no item spoils another, unless each would fail alike.
 */
export function inGroups<Item, Value>(
  most: number,
  work: (items: readonly Item[]) => Promise<readonly Value[]>,
  failsAlike: (error: unknown) => boolean,
): (item: Item) => Promise<Value> {
  const waiting: Waiting<Item, Value>[] = [];
  let isRunning = false;
  const runOnce = async (group: readonly Waiting<Item, Value>[]) => {
    try {
      const values = await work(group.map(({ item }) => item));
      // One value an item.
      group.forEach(({ resolve }, index) => resolve(values[index] as Value));
    } catch (error) {
      if (group.length === 1 || failsAlike(error)) for (const { reject } of group) reject(error);
      else for (const one of group) await runOnce([one]);
    }
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) await runOnce(waiting.splice(0, most));
    isRunning = false;
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    waiting.push({ item, resolve, reject });
    void run();
    return promise;
  };
}
