/**
 * A bounded queue in which owners take turns: a busy one delays the others by one item at most. When it is full, the
 * owner with the most items gives way to owners with fewer, so that no owner can shut out others (spec D2).
 */
export interface FairQueueOptions<Item> {
  readonly limit: number;
  readonly limitOfOne: number;
  ownerOf(item: Item): string;
  /** An item was removed to make room for another owner's. */
  onTurnedAway(item: Item): void;
}

export interface FairQueue<Item> {
  /** Counts items that wait for their turn. */
  waiting(): number;
  /** Those items. */
  list(): readonly Item[];
  /** Deferred items: they count towards the limits and have no turn until they are restored. */
  deferred(): number;
  hasCapacity(owner: string): boolean;
  /** False when full; nothing was queued. */
  offer(item: Item): boolean;
  /** The next item that fits; its owner goes to the end of the line. An owner whose first does not fit is passed over. */
  dequeue(fits: (item: Item) => boolean): Item | undefined;
  /** Puts dequeued items first again, in their order, without regard to the limits. */
  putBack(items: readonly Item[]): void;
  /** Defers a dequeued item. */
  defer(item: Item): void;
  /** Puts the deferred items that the test picks first again. */
  restore(isFree: (item: Item) => boolean): void;
  /** Removes all items that the test picks. */
  drop(isOver: (item: Item) => boolean): readonly Item[];
}

interface Line<Item> {
  readonly waiting: Item[];
  readonly deferred: Item[];
}

export function createFairQueue<Item>(options: FairQueueOptions<Item>): FairQueue<Item> {
  const { limit, limitOfOne, ownerOf } = options;
  // A map keeps the order in which owners were put in: the first one's turn is next.
  let lines = new Map<string, Line<Item>>();
  const size = { waiting: 0, deferred: 0 };
  const isFull = () => size.waiting + size.deferred >= limit;

  const add = (item: Item, state: keyof Line<Item>) => {
    const owner = ownerOf(item);
    const line = lines.get(owner) ?? { waiting: [], deferred: [] };
    lines.set(owner, line);
    line[state].push(item);
    size[state] += 1;
  };

  const takeOut = (line: Line<Item>, state: keyof Line<Item>, picks: (item: Item) => boolean) => {
    const [out, kept] = [line[state].filter(picks), line[state].filter((item) => !picks(item))];
    if (out.length > 0) line[state].splice(0, line[state].length, ...kept);
    size[state] -= out.length;
    return out;
  };

  const hasCapacity = (owner: string) => {
    const own = lengthOf(lines.get(owner));
    return own < limitOfOne && (!isFull() || lengthOf(longestOf(lines)) > own + 1);
  };

  const turnAwayNewest = ({ waiting, deferred }: Line<Item>) => {
    size[waiting.length > 0 ? "waiting" : "deferred"] -= 1;
    options.onTurnedAway((waiting.pop() ?? deferred.pop()) as Item);
  };

  const putBack = (items: readonly Item[]) => {
    if (items.length === 0) return;
    lines = withFirst(lines, Map.groupBy(items, ownerOf));
    size.waiting += items.length;
  };

  return {
    waiting: () => size.waiting,
    list: () => [...lines.values()].flatMap((line) => line.waiting),
    deferred: () => size.deferred,
    hasCapacity,
    offer: (item) => {
      if (!hasCapacity(ownerOf(item))) return false;
      if (isFull()) turnAwayNewest(longestOf(lines) as Line<Item>);
      add(item, "waiting");
      return true;
    },
    dequeue: (fits) => {
      const line = firstLine(lines, fits);
      const item = line?.waiting.shift();
      if (!line || item === undefined) return undefined;
      size.waiting -= 1;
      lines.delete(ownerOf(item));
      if (lengthOf(line) > 0) lines.set(ownerOf(item), line);
      return item;
    },
    putBack,
    defer: (item) => add(item, "deferred"),
    restore: (isFree) => putBack([...lines.values()].flatMap((line) => takeOut(line, "deferred", isFree))),
    drop: (isOver) => {
      const out = [...lines.values()].flatMap((line) =>
        (["deferred", "waiting"] as const).flatMap((state) => takeOut(line, state, isOver)),
      );
      for (const [owner, line] of lines) if (lengthOf(line) === 0) lines.delete(owner);
      return out;
    },
  };
}

/** The lines with these items before all others, in their order. */
function withFirst<Item>(
  lines: ReadonlyMap<string, Line<Item>>,
  items: ReadonlyMap<string, readonly Item[]>,
): Map<string, Line<Item>> {
  const result = new Map<string, Line<Item>>();
  for (const [owner, own] of items) {
    const { waiting = [], deferred = [] } = lines.get(owner) ?? {};
    result.set(owner, { waiting: [...own, ...waiting], deferred });
  }
  for (const [owner, line] of lines) if (!result.has(owner)) result.set(owner, line);
  return result;
}

function firstLine<Item>(lines: ReadonlyMap<string, Line<Item>>, fits: (item: Item) => boolean) {
  for (const line of lines.values()) {
    const [first] = line.waiting;
    if (first !== undefined && fits(first)) return line;
  }
  return undefined;
}

function lengthOf(line: Line<unknown> | undefined): number {
  return line ? line.waiting.length + line.deferred.length : 0;
}

function longestOf<Item>(lines: ReadonlyMap<string, Line<Item>>): Line<Item> | undefined {
  let longest: Line<Item> | undefined;
  for (const line of lines.values()) if (lengthOf(line) > lengthOf(longest)) longest = line;
  return longest;
}
