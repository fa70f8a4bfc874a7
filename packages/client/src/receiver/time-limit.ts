/** Time limits of what is not ours: handlers and stores. */

/** Rejects after the time limit, and aborts the signal then; what the work does afterwards is ignored. */
export async function withTimeLimit<Value>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`not finished after ${timeoutMs} ms`);
      controller.abort(error);
      reject(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), limit]);
  } finally {
    clearTimeout(timer);
  }
}
