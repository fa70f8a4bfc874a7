/** The newest things of a kind, bounded in number and in bytes. */
export interface Ring<Item> {
  /** Adds one, and drops the oldest where there is no room. One that is larger than all the room is not kept. */
  add(item: Item, bytes: number): void;
  /** Newest first. */
  newest(): Generator<Item>;
  /** Bytes of those kept. */
  bytes(): number;
}

interface Slot<Item> {
  readonly item: Item;
  readonly bytes: number;
}

export function createRing<Item>(countMax: number, bytesMax: number): Ring<Item> {
  const slots: (Slot<Item> | undefined)[] = Array.from({ length: countMax });
  /** Ever added, and ever dropped: those in between are kept. */
  let added = 0;
  let dropped = 0;
  let total = 0;

  function dropOldest(): void {
    total -= slots[dropped % countMax]?.bytes ?? 0;
    slots[dropped % countMax] = undefined;
    dropped += 1;
  }

  return {
    add(item, bytes) {
      if (bytes > bytesMax) return;
      while (added - dropped === countMax || total + bytes > bytesMax) dropOldest();
      slots[added % countMax] = { item, bytes };
      added += 1;
      total += bytes;
    },
    *newest() {
      for (let at = added - 1; at >= dropped; at -= 1) {
        const slot = slots[at % countMax];
        if (slot !== undefined) yield slot.item;
      }
    },
    bytes: () => total,
  };
}
