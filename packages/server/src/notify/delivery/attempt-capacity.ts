/**
 * Capacity for attempts, and memory of their bodies. An attempt that hangs gives up its share and counts among those that
 * hang, as far as they have capacity: so a share is held for a moment, and not for the time-out of a silent partner.
 */
export interface BudgetSize {
  readonly count: number;
  /** Bytes of bodies. */
  readonly bytes: number;
}

export interface CapacitySizes {
  readonly sending: BudgetSize;
  /** Part of the capacity for partners that are not proven to respond. */
  readonly unproven: BudgetSize;
  readonly hanging: BudgetSize;
}

export interface CapacityShare {
  /** The body is written, and has so many bytes. */
  resize(bytes: number): void;
  /** Gives up the share and goes on; false: it hangs already, is over, or keeps its share for want of capacity. */
  hang(): boolean;
  end(): void;
}

export interface AttemptCapacity {
  /** `bytes`: what the body may have at most. `isFirst`: of its partner; the last shares are kept for such. */
  mayTake(bytes: number, isProven: boolean, isFirst: boolean): boolean;
  take(bytes: number, isProven: boolean): CapacityShare;
}

interface Budget {
  /** One body of any size fits where there is none. */
  fits(bytes: number, share?: number): boolean;
  change(count: number, bytes: number): void;
}

/** Part of the capacity for the second and later attempts of partners. */
const furtherShare = 3 / 4;

export function createAttemptCapacity(sizes: CapacitySizes): AttemptCapacity {
  const all = createBudget(sizes.sending);
  const unproven = createBudget(sizes.unproven);
  const hanging = createBudget(sizes.hanging);
  return {
    mayTake: (bytes, isProven, isFirst) =>
      all.fits(bytes, isFirst ? 1 : furtherShare) && (isProven || unproven.fits(bytes)),
    take: (reserved, isProven) => {
      let bytes = reserved;
      let budgets: readonly Budget[] = [];
      const moveTo = (next: readonly Budget[]) => {
        for (const budget of budgets) budget.change(-1, -bytes);
        for (const budget of next) budget.change(1, bytes);
        budgets = next;
      };
      moveTo(isProven ? [all] : [all, unproven]);
      return {
        resize: (size) => {
          for (const budget of budgets) budget.change(0, size - bytes);
          bytes = size;
        },
        hang: () => {
          if (budgets[0] !== all || !hanging.fits(bytes)) return false;
          moveTo([hanging]);
          return true;
        },
        end: () => moveTo([]),
      };
    },
  };
}

function createBudget(max: BudgetSize): Budget {
  let [count, bytes] = [0, 0];
  return {
    fits: (more, share = 1) => count < max.count * share && (bytes === 0 || bytes + more <= max.bytes * share),
    change: (moreCount, moreBytes) => {
      count += moreCount;
      bytes += moreBytes;
    },
  };
}
