/** Medians and spreads: what one noisy machine allows to say. */

export interface Spreaded {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/** Summary of those values that are there; undefined for none. An even number has the mean of the middle two. */
export function summarize(values: readonly (number | undefined)[]): Spreaded | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  const upper = sorted[sorted.length >> 1] ?? most;
  const lower = sorted[(sorted.length - 1) >> 1] ?? least;
  return { median: (lower + upper) / 2, least, most, count: sorted.length };
}
