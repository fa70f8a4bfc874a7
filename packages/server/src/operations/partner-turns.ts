/**
 * Limits concurrent reads (spec D17): they are bounded in number, partners take turns, and one partner never has more
 * than half of the connections, so that its slow reads do not delay others.
 */
import { createFairQueue } from "../engine/queue/fair-queue.ts";

export interface ReadTurns {
  /** Runs the work in its turn. Undefined: the queue is full, or it made room for a partner with fewer reads. */
  run<Result>(partner: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** Whether another one of the partner may wait. */
  hasRoom(partner: string): boolean;
  /** Reads that wait now. */
  waiting(): number;
}

export interface ReadLimits {
  readonly running: number;
  readonly runningOfOnePartner: number;
  readonly waiting: number;
  readonly waitingOfOnePartner: number;
}

interface Read {
  readonly partner: string;
  /** True: it may run now. False: it was turned away. */
  decide(isItsTurn: boolean): void;
}

export function createReadTurns(limits: ReadLimits): ReadTurns {
  const running = new Map<string, number>();
  let allRunning = 0;
  const queue = createFairQueue<Read>({
    limit: limits.waiting,
    limitOfOne: limits.waitingOfOnePartner,
    ownerOf: ({ partner }) => partner,
    onTurnedAway: (read) => read.decide(false),
  });

  const runningOf = (partner: string) => running.get(partner) ?? 0;
  const countRunning = (partner: string, by: 1 | -1) => {
    allRunning += by;
    const own = runningOf(partner) + by;
    if (own === 0) running.delete(partner);
    else running.set(partner, own);
  };
  const mayRun = ({ partner }: Read) => runningOf(partner) < limits.runningOfOnePartner;

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
      const turn = new Promise<boolean>((decide) => {
        if (!queue.offer({ partner, decide })) decide(false);
      });
      startNext();
      if (!(await turn)) return undefined;
      try {
        return await work();
      } finally {
        countRunning(partner, -1);
        startNext();
      }
    },
    hasRoom: queue.hasRoom,
    waiting: queue.waiting,
  };
}
