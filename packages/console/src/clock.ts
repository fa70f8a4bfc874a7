/** The browser's clock and timers' origin: the only place that reads them. */

/** Epoch milliseconds. */
export const now = (): number => Date.now();
