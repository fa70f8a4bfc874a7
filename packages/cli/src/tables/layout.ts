/** Places of a table's columns within a width. */
export interface Place {
  readonly key: string;
  readonly isAmount: boolean;
  readonly width: number;
}

/** Columns that stand beside each other. */
export interface LaidOut {
  readonly places: readonly Place[];
  readonly indent: number;
  /** Position of its first column in the table. */
  readonly from: number;
}

const gap = 2;
const indentOfOthers = 4;
/** A text that goes on in the next line has so much room at least. */
const wrappedMin = 24;

const widthOf = (places: readonly Place[]): number =>
  places.reduce((sum, { width }) => sum + width + gap, 0) - (places.length > 0 ? gap : 0);

/** The columns in their order: beside each other as far as the width goes, then below. The last one may be wrapped. */
export function layOut(places: readonly Place[], width: number): readonly LaidOut[] {
  const parts: LaidOut[] = [];
  let part: LaidOut = { places: [], indent: 0, from: 0 };
  for (const [position, place] of places.entries()) {
    const used = part.indent + widthOf(part.places) + (part.places.length > 0 ? gap : 0);
    const room = width - used;
    const isWrapped = position === places.length - 1 && !place.isAmount && room >= wrappedMin && place.width > room;
    if (place.width > room && !isWrapped && part.places.length > 0) {
      parts.push(part);
      part = { places: [], indent: indentOfOthers, from: position };
    }
    const left = part.places.length === 0 ? width - part.indent : room;
    part = { ...part, places: [...part.places, { ...place, width: Math.min(place.width, left) }] };
  }
  return [...parts, part];
}
