/** A wait that ends after a time, whatever it was for. */

/** Undefined: the work failed, or was not done within so many ms. It goes on all the same. */
export async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  const result = await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
  return result;
}
