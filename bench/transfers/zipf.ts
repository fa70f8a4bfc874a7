/** Positions by Zipf's law: the n-th is drawn 1 / n^s as often as the first. */

/** As in the scripts of `bench/sql-ledger`, where pgbench draws them; the first of 10,000 has 14 % of all draws. */
const zipfExponent = 1.07;

/** A function that draws a position from 0 below `count`. */
export function createZipf(count: number, random: () => number = Math.random): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let position = 0; position < count; position += 1) {
    sum += 1 / (position + 1) ** zipfExponent;
    sums[position] = sum;
  }
  return () => firstAbove(sums, random() * sum);
}

/** The first position whose sum is above the value. */
function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
