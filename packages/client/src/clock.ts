/** The client's clock: for `X-TIMESTAMP`, the lifetime of tokens and external ids. */

/** `Date` implements it. Time-outs use the system's timers instead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
