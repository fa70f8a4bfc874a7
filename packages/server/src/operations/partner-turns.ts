/**
 * Limits work that runs at once, such as reads and the acceptance of bulks (spec D17): it is bounded in number, partners
 * take turns, and one partner never has more than its share, so that its slow work does not delay others.
 */
import { createFairQueue } from "../engine/queue/fair-queue.ts";

export interface PartnerTurns {
  /** Runs the work in its turn. Undefined: the queue is full, or it made room for a partner with less work waiting. */
  run<Result>(partner: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** True: another one of the partner may wait. */
  hasRoom(partner: string): boolean;
  /** Work that waits now. */
  waiting(): number;
}

export interface TurnLimits {
  readonly running: number;
  readonly runningOfOnePartner: number;
  readonly waiting: number;
  readonly waitingOfOnePartner: number;
}

interface Turn {
  readonly partner: string;
  /** True: it may run now. False: it was turned away. */
  decide(isItsTurn: boolean): void;
}

export function createPartnerTurns(limits: TurnLimits): PartnerTurns {
  const running = new Map<string, number>();
  let allRunning = 0;
  const queue = createFairQueue<Turn>({
    limit: limits.waiting,
    limitOfOne: limits.waitingOfOnePartner,
    ownerOf: ({ partner }) => partner,
    onTurnedAway: (turn) => turn.decide(false),
  });

  const runningOf = (partner: string) => running.get(partner) ?? 0;
  const countRunning = (partner: string, by: 1 | -1) => {
    allRunning += by;
    const own = runningOf(partner) + by;
    if (own === 0) running.delete(partner);
    else running.set(partner, own);
  };
  const mayRun = ({ partner }: Turn) => runningOf(partner) < limits.runningOfOnePartner;

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
      const isItsTurn = new Promise<boolean>((decide) => {
        if (!queue.offer({ partner, decide })) decide(false);
      });
      startNext();
      if (!(await isItsTurn)) return undefined;
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
