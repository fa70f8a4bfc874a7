/** Queues of claimed notifications by partner, the one that was served last at the end. */
import type { ClaimedNotification } from "../../store/tables/notifications/deliveries.ts";

export interface PartnerQueue<Claimed> {
  readonly partner: string;
  readonly queued: Claimed[];
  sending: number;
  /** Number of those being sent that hang. */
  hanging: number;
  /** Queued, being sent, or being recorded. */
  claimed: number;
}

export interface PartnerQueues<Claimed> {
  find(partner: string): PartnerQueue<Claimed> | undefined;
  /** All with anything claimed. */
  list(): Iterable<PartnerQueue<Claimed>>;
  /** In the place of the same notification before its newest replay, where that is queued. */
  enqueue(claimed: Claimed): void;
  /** The first queued one of the first partner that may begin one. */
  dequeue(mayBegin: (queue: PartnerQueue<Claimed>, next: Claimed) => boolean): Claimed | undefined;
  /** All that are queued of a partner; they leave it. */
  drain(queue: PartnerQueue<Claimed>): readonly Claimed[];
  /** One of the partner is over. */
  leave(queue: PartnerQueue<Claimed>): void;
}

export function createPartnerQueues<
  Claimed extends { readonly notification: ClaimedNotification },
>(): PartnerQueues<Claimed> {
  const queues = new Map<string, PartnerQueue<Claimed>>();
  /** Those with anything queued, in turn. */
  const ready = new Map<string, PartnerQueue<Claimed>>();
  const leave = (queue: PartnerQueue<Claimed>, count: number) => {
    queue.claimed -= count;
    if (queue.claimed === 0) queues.delete(queue.partner);
  };
  return {
    find: (partner) => queues.get(partner),
    list: () => queues.values(),
    enqueue: (claimed) => {
      const { id, partner } = claimed.notification;
      const queue = queues.get(partner) ?? { partner, queued: [], sending: 0, hanging: 0, claimed: 0 };
      const replaced = queue.queued.findIndex(({ notification }) => notification.id === id);
      if (replaced === -1) queue.claimed += 1;
      queue.queued.splice(replaced === -1 ? queue.queued.length : replaced, 1, claimed);
      queues.set(partner, queue);
      ready.set(partner, queue);
    },
    dequeue: (mayBegin) => {
      for (const [partner, queue] of ready) {
        const [next] = queue.queued;
        if (next === undefined || !mayBegin(queue, next)) continue;
        queue.queued.shift();
        ready.delete(partner);
        if (queue.queued.length > 0) ready.set(partner, queue);
        return next;
      }
      return undefined;
    },
    drain: (queue) => {
      const drained = queue.queued.splice(0);
      ready.delete(queue.partner);
      leave(queue, drained.length);
      return drained;
    },
    leave: (queue) => leave(queue, 1),
  };
}
