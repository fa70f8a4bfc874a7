/** The share that one unfinished body has of the bytes that are kept of all (spec D17). */

export interface BodySize {
  /** The length that the head tells; undefined: it comes in chunks. */
  readonly announced: number | undefined;
  readonly limit: number;
}

export interface BodyShare {
  /**
   * So many more bytes have come. False: they do not fit. A promise: the body waits for capacity, and nothing more of it is
   * to be read before it resolves; to false when there was none in time.
   */
  reserve(bytes: number): boolean | Promise<boolean>;
  /** The body has ended: gives back all it has, and waits no more. */
  release(): void;
}
