/** Histograms in Prometheus' format. Observing a value allocates nothing. */

export class Histogram {
  readonly #bounds: readonly number[];
  /** One for each bound, and one for what is above them all. */
  readonly #counts: Float64Array;
  #count = 0;
  #sum = 0;

  /** `bounds`: upper bounds of the buckets, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
  }

  get count(): number {
    return this.#count;
  }

  /** Its lines under this name; label values need no escaping. */
  *lines(name: string, labels: Readonly<Record<string, string>>): Generator<string> {
    const given = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    let upTo = 0;
    for (const [bucket, own] of this.#counts.entries()) {
      upTo += own;
      yield `${name}_bucket{${[...given, `le="${this.#bounds[bucket] ?? "+Inf"}"`].join(",")}} ${upTo}`;
    }
    const all = given.length === 0 ? "" : `{${given.join(",")}}`;
    yield `${name}_sum${all} ${this.#sum}`;
    yield `${name}_count${all} ${this.#count}`;
  }
}
