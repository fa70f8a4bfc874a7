/**
 * Limits work that runs at once, such as reads and the acceptance of bulks (spec D17): it is bounded in number, partners
 * take turns, and one partner never has more than its share, so that its slow work does not delay others.
 */
import { createFairQueue } from "../engine/queue/fair-queue.ts";

export interface PartnerShares {
  /** Runs the work in its turn. Undefined: the queue is full, or it gave way to a partner with less work waiting. */
  run<Result>(partner: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** True: another one of the partner may wait. */
  hasCapacity(partner: string): boolean;
  /** Work that waits now. */
  waiting(): number;
}

export interface ShareLimits {
  readonly running: number;
  readonly runningOfOnePartner: number;
  readonly waiting: number;
  readonly waitingOfOnePartner: number;
}

interface Waiting {
  readonly partner: string;
  /** True: it may run now. False: it was turned away. */
  decide(isGranted: boolean): void;
}

export function createPartnerShares(limits: ShareLimits): PartnerShares {
  const running = new Map<string, number>();
  let allRunning = 0;
  const queue = createFairQueue<Waiting>({
    limit: limits.waiting,
    limitOfOne: limits.waitingOfOnePartner,
    ownerOf: ({ partner }) => partner,
    onTurnedAway: (waiting) => waiting.decide(false),
  });

  const runningOf = (partner: string) => running.get(partner) ?? 0;
  const countRunning = (partner: string, by: 1 | -1) => {
    allRunning += by;
    const own = runningOf(partner) + by;
    if (own === 0) running.delete(partner);
    else running.set(partner, own);
  };
  const mayRun = ({ partner }: Waiting) => runningOf(partner) < limits.runningOfOnePartner;

  const startNext = () => {
    while (allRunning < limits.running) {
      const next = queue.dequeue(mayRun);
      if (!next) return;
      countRunning(next.partner, 1);
      next.decide(true);
    }
  };

  return {
    run: async (partner, work) => {
      const isGranted = new Promise<boolean>((decide) => {
        if (!queue.offer({ partner, decide })) decide(false);
      });
      startNext();
      if (!(await isGranted)) return undefined;
      try {
        return await work();
      } finally {
        countRunning(partner, -1);
        startNext();
      }
    },
    hasCapacity: queue.hasCapacity,
    waiting: queue.waiting,
  };
}
