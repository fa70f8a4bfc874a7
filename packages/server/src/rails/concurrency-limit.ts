/** Bounded work at once, with no line behind it: what finds no place is not begun. */
export interface Places {
  /** Whether there was one; then it is free again when the work ends. */
  take(work: () => Promise<void>): boolean;
  readonly taken: number;
}

export function createPlaces(most: number): Places {
  let taken = 0;
  return {
    take: (work) => {
      if (taken >= most) return false;
      taken += 1;
      void work().finally(() => {
        taken -= 1;
      });
      return true;
    },
    get taken() {
      return taken;
    },
  };
}
