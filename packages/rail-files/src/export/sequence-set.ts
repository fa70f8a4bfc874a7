/** A set of sequences, a bit for each: that of a million lines is 125 kB. */
export interface SequenceSet {
  /** False: it was there. One outside of the range is always new. */
  add(sequence: number): boolean;
  has(sequence: number): boolean;
}

/** Of the sequences behind one, up to another. */
export function createSequenceSet(behind: number, upTo: number): SequenceSet {
  const bits = new Uint8Array(Math.ceil(Math.max(0, upTo - behind) / 8));
  const placeOf = (sequence: number) => {
    const index = sequence - behind - 1;
    return { at: Math.floor(index / 8), bit: 1 << (index % 8) };
  };
  const isIn = ({ at, bit }: ReturnType<typeof placeOf>) => ((bits[at] ?? 0) & bit) !== 0;
  return {
    add: (sequence) => {
      const place = placeOf(sequence);
      const isNew = !isIn(place);
      if (place.at in bits) bits[place.at] = (bits[place.at] ?? 0) | place.bit;
      return isNew;
    },
    has: (sequence) => isIn(placeOf(sequence)),
  };
}
