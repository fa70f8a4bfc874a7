/** Result of the work; undefined where a lock was not free in time. */
export async function skipIfLocked<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "55P03") return undefined;
    throw error;
  }
}
