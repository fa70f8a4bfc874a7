/** Where the client reads the time: `X-TIMESTAMP`, the life of tokens, the front of external ids. */

/** `Date` itself is one. Time-outs do not use it: they run on the system's timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
