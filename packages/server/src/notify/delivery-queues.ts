/**
 * What this node has claimed: a queue for each partner, of which a few are sent at once. A partner whose system does not
 * respond fills its own queue alone, and one that fails or is slow leaves the rest to others and to other nodes.
 */
import type { Instant } from "../clock.ts";
import type { NotificationEndpoint } from "../notifications.ts";
import type { Delivery, DeliveryRoom } from "../store/tables/deliveries.ts";
import { createPartnerLimits, type PartnerLimits, type Sent } from "./partner-limits.ts";

export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly endpoint: NotificationEndpoint;
  /** Later (monotonic) it is not begun: its claim would end before it does. */
  readonly beginBefore: number;
  /** When its claim ends (business time, epoch ms). */
  readonly claimEndsAt: Instant;
}

export interface DeliveryQueuesOptions {
  /** Sends one and records the attempt. Rejects when how it ended is not known. */
  send(claimed: ClaimedDelivery): Promise<Sent>;
  /** Those that are not sent from here after all. */
  giveBack(deliveries: readonly Delivery[]): void;
  monotonic(): number;
  /** A partner that responds within it (ms) may have a longer queue. */
  readonly quickMs: number;
}

export interface DeliveryQueues {
  /** How many more of each partner may be claimed now; those without room are left out. */
  roomsOf(waiting: readonly NotificationEndpoint[]): readonly DeliveryRoom[];
  add(claimed: readonly ClaimedDelivery[]): void;
  /** Ids of those whose claim has ended by then, although they are still here: the sandbox's clock was moved. */
  overdue(now: Instant): readonly string[];
  /** How many are queued or being sent. */
  count(): number;
  /** Gives back what is queued, and waits for what is being sent. */
  close(): Promise<void>;
}

const claimedMax = 4_096;
const sendingMax = 256;
const failingMax = 64;

interface PartnerQueue {
  readonly queued: ClaimedDelivery[];
  sending: number;
}

/** By partner, the one that was served last at the end. */
type Queues = Map<string, PartnerQueue>;

export function createDeliveryQueues(options: DeliveryQueuesOptions): DeliveryQueues {
  const { send, giveBack, monotonic, quickMs } = options;
  const queues: Queues = new Map();
  const sending = new Map<string, { readonly claimed: ClaimedDelivery; readonly ended: Promise<void> }>();
  const limits = createPartnerLimits(quickMs);
  const giveBackAll = (claimed: readonly ClaimedDelivery[]) => {
    if (claimed.length > 0) giveBack(claimed.map(({ delivery }) => delivery));
  };
  const leave = (partner: string, queue: PartnerQueue) => {
    queue.sending -= 1;
    if (limits.isFailing(partner)) giveBackAll(queue.queued.splice(0));
    if (countOf(queue) === 0) queues.delete(partner);
  };
  const begin = (claimed: ClaimedDelivery, queue: PartnerQueue) => {
    const { id, partner } = claimed.delivery;
    const ended = send(claimed)
      .then(
        (sent) => limits.learn(partner, sent),
        () => undefined,
      )
      .then(() => {
        sending.delete(id);
        leave(partner, queue);
        beginAll();
      });
    sending.set(id, { claimed, ended });
  };
  const beginAll = () => {
    while (sending.size < sendingMax) {
      const next = takeNext(queues, limits);
      if (!next) return;
      const { claimed, queue } = next;
      if (monotonic() < claimed.beginBefore) begin(claimed, queue);
      else {
        giveBackAll([claimed]);
        leave(claimed.delivery.partner, queue);
      }
    }
  };
  const all = () => [
    ...[...queues.values()].flatMap(({ queued }) => queued),
    ...[...sending.values()].map(({ claimed }) => claimed),
  ];
  return {
    roomsOf: (waiting) => roomsOf(waiting, queues, limits),
    add: (claimed) => {
      // One may be claimed again while this node still has it.
      const known = new Set(all().map(({ delivery }) => delivery.id));
      for (const one of claimed) if (!known.has(one.delivery.id)) queueOf(queues, one).queued.push(one);
      beginAll();
    },
    overdue: (now) => all().flatMap(({ delivery, claimEndsAt }) => (claimEndsAt <= now ? [delivery.id] : [])),
    count: () => [...queues.values()].reduce((sum, queue) => sum + countOf(queue), 0),
    close: async () => {
      for (const queue of queues.values()) giveBackAll(queue.queued.splice(0));
      await Promise.all([...sending.values()].map(({ ended }) => ended));
    },
  };
}

function countOf({ queued, sending }: PartnerQueue): number {
  return queued.length + sending;
}

function queueOf(queues: Queues, { delivery: { partner } }: ClaimedDelivery): PartnerQueue {
  const queue = queues.get(partner) ?? { queued: [], sending: 0 };
  queues.set(partner, queue);
  return queue;
}

/** The next that may be sent, of the partner whose turn it is. */
function takeNext(queues: Queues, limits: PartnerLimits) {
  for (const [partner, queue] of queues) {
    if (queue.sending >= limits.sendingMax(partner)) continue;
    const claimed = queue.queued.shift();
    if (!claimed) continue;
    queue.sending += 1;
    queues.delete(partner);
    queues.set(partner, queue);
    return { claimed, queue };
  }
  return undefined;
}

function roomsOf(
  waiting: readonly NotificationEndpoint[],
  queues: Queues,
  limits: PartnerLimits,
): readonly DeliveryRoom[] {
  const claimedOf = (partner: string) => {
    const queue = queues.get(partner);
    return queue ? countOf(queue) : 0;
  };
  const sumOf = (partners: Iterable<string>) => [...partners].reduce((sum, partner) => sum + claimedOf(partner), 0);
  let left = claimedMax - sumOf(queues.keys());
  let ofFailing = failingMax - sumOf(limits.failing());
  return waiting.flatMap(({ partner, address }) => {
    const isFailing = limits.isFailing(partner);
    const room = Math.min(limits.room(partner, claimedOf(partner)), left, isFailing ? ofFailing : left);
    if (room <= 0) return [];
    left -= room;
    if (isFailing) ofFailing -= room;
    return [{ partner, room, hasAddress: address !== undefined }];
  });
}
