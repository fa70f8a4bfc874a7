/**
 * How many bytes of unfinished bodies a process keeps at once, over all connections: a body is read before anyone is
 * known, so this bounds what callers without credentials can make it hold.
 */
export interface BodyBudget {
  /** False when the bytes do not fit: then nothing was taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const bytesMax = 128 * 1_048_576;

export function createBodyBudget(most = bytesMax): BodyBudget {
  let taken = 0;
  return {
    take: (bytes) => {
      if (taken + bytes > most) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  };
}
