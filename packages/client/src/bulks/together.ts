/** Work side by side that ends together. */
import { setMaxListeners } from "node:events";

/**
 * The results of all, in order. The first error is thrown; the signal that each work got is then aborted, as it is with the
 * caller's.
 */
export async function together<Result>(
  signal: AbortSignal | undefined,
  works: readonly ((signal: AbortSignal) => Promise<Result>)[],
): Promise<readonly Result[]> {
  const own = new AbortController();
  const both = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  setMaxListeners(0, both);
  try {
    return await Promise.all(works.map((work) => work(both)));
  } finally {
    own.abort();
  }
}
