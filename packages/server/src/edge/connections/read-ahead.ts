/**
 * Bytes that unauthenticated connections of an address have sent and that wait for their turns. Thousands may send at
 * once, and each read takes up to 64 KiB: beyond the limit the others of the address are not read before their turns.
 */
export interface ReadAhead {
  /** Negative: they wait no more. */
  add(share: string, bytes: number): void;
}

const maxDefault = 8_388_608;

/** `stop`: no connection of the address is read until its turn. */
export function createReadAhead(stop: (share: string) => void, max = maxDefault): ReadAhead {
  const waiting = new Map<string, number>();
  return {
    add(share, bytes) {
      const total = (waiting.get(share) ?? 0) + bytes;
      if (total > 0) waiting.set(share, total);
      else waiting.delete(share);
      if (bytes > 0 && total > max) stop(share);
    },
  };
}
