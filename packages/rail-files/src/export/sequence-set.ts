/** A set of sequences, a bit for each: that of a million lines is 125 kB, wherever they begin and end. */
export interface SequenceSet {
  /** False: it was there. One outside of the range is always new. */
  add(sequence: number): boolean;
  has(sequence: number): boolean;
}

const pageBytes = 8_192;

/** Set of the sequences behind one, up to another. */
export function createSequenceSet(behind: number, upTo: number): SequenceSet {
  const pages = new Map<number, Uint8Array>();
  const placeOf = (sequence: number) => {
    const index = sequence - behind - 1;
    const byte = Math.floor(index / 8);
    return { page: Math.floor(byte / pageBytes), at: byte % pageBytes, bit: 1 << (index % 8) };
  };
  const isIn = ({ page, at, bit }: ReturnType<typeof placeOf>) => ((pages.get(page)?.[at] ?? 0) & bit) !== 0;
  return {
    add: (sequence) => {
      if (sequence <= behind || sequence > upTo) return true;
      const place = placeOf(sequence);
      if (isIn(place)) return false;
      const { page, at, bit } = place;
      const bytes = pages.get(page) ?? new Uint8Array(pageBytes);
      pages.set(page, bytes);
      bytes[at] = (bytes[at] ?? 0) | bit;
      return true;
    },
    has: (sequence) => sequence > behind && sequence <= upTo && isIn(placeOf(sequence)),
  };
}
