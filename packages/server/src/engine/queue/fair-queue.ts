/**
 * A bounded queue in which owners take turns: a busy one delays the others by one item at most. Of a full queue the owner
 * with the most in it gives way to whoever has less, so that nobody can shut others out (spec D2).
 */
export interface FairQueueOptions<Item> {
  readonly limit: number;
  readonly limitOfOne: number;
  ownerOf(item: Item): string;
  /** An item was taken out to make room for another owner's. */
  onTurnedAway(item: Item): void;
}

export interface FairQueue<Item> {
  /** Items that wait for their turn. */
  waiting(): number;
  /** Items set aside: they count towards the limits and have no turn until they are brought back. */
  deferred(): number;
  hasRoom(owner: string): boolean;
  /** False when full; nothing was queued. */
  offer(item: Item): boolean;
  /** The next item that fits; its owner goes to the end of the line. An owner whose first does not fit is passed over. */
  dequeue(fits: (item: Item) => boolean): Item | undefined;
  /** Puts items that were taken before everybody else's, in their order. They were let in before: no limit applies to them. */
  putBack(items: readonly Item[]): void;
  /** Sets an item that was taken aside. */
  defer(item: Item): void;
  /** Puts those set aside that the test picks before everybody else's. */
  restore(isFree: (item: Item) => boolean): void;
  /** Takes out what the test picks, wherever it stands. */
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

  const hasRoom = (owner: string) => {
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
    deferred: () => size.deferred,
    hasRoom,
    offer: (item) => {
      if (!hasRoom(ownerOf(item))) return false;
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
