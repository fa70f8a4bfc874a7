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
  /** Later (monotonic) it is not begun: its claim would end before it does. */
  readonly beginBefore: number;
  /** When its claim ends (business time, epoch ms). */
  readonly claimEndsAt: Instant;
}

export interface DeliveryQueuesOptions<Claimed> {
  /** Sends one, calls `onSent` with how it ended, and records the attempt. Rejects when that fails. */
  send(claimed: Claimed, onSent: (sent: Sent) => void): Promise<void>;
  /** Those that are not sent from here after all. */
  giveBack(deliveries: readonly Delivery[]): void;
  monotonic(): number;
  /** A partner that responds within it (ms) may have a longer queue. */
  readonly quickMs: number;
}

export interface DeliveryQueues<Claimed = ClaimedDelivery> {
  /** How many more of each partner may be claimed now; those without room are left out. */
  roomsOf(waiting: readonly NotificationEndpoint[]): readonly DeliveryRoom[];
  add(claimed: readonly Claimed[]): void;
  /** Ids of those whose claim has ended by then, although they are still here: an attempt was slow, or the sandbox's clock moved. */
  overdue(now: Instant): readonly string[];
  /** How many are queued, being sent or being recorded. */
  count(): number;
  /** Gives back what is queued, and waits for what is being sent and recorded. */
  close(): Promise<void>;
}

const claimedMax = 4_096;
const sendingMax = 256;
const failingMax = 64;

interface PartnerQueue<Claimed = ClaimedDelivery> {
  readonly queued: Claimed[];
  sending: number;
  /** Queued, being sent, or being recorded. */
  claimed: number;
}

/** By partner, the one that was served last at the end. */
type Queues<Claimed = ClaimedDelivery> = Map<string, PartnerQueue<Claimed>>;

export function createDeliveryQueues<Claimed extends ClaimedDelivery>(
  options: DeliveryQueuesOptions<Claimed>,
): DeliveryQueues<Claimed> {
  const { send, giveBack, monotonic, quickMs } = options;
  const queues: Queues<Claimed> = new Map();
  const begun = new Map<Claimed, Promise<void>>();
  const limits = createPartnerLimits(quickMs);
  let sendingCount = 0;
  const leave = (partner: string, queue: PartnerQueue<Claimed>, count: number) => {
    queue.claimed -= count;
    if (queue.claimed === 0) queues.delete(partner);
  };
  const giveBackFrom = (partner: string, queue: PartnerQueue<Claimed>, claimed: readonly Claimed[]) => {
    if (claimed.length === 0) return;
    giveBack(claimed.map(({ delivery }) => delivery));
    leave(partner, queue, claimed.length);
  };
  const begin = (claimed: Claimed, queue: PartnerQueue<Claimed>) => {
    const { partner, replayUrl } = claimed.delivery;
    let isSending = true;
    queue.sending += 1;
    sendingCount += 1;
    const onSent = (sent?: Sent) => {
      if (!isSending) return;
      isSending = false;
      queue.sending -= 1;
      sendingCount -= 1;
      // What another address does says nothing of the partner's own.
      if (sent && replayUrl === undefined) limits.learn(partner, sent);
      if (limits.isFailing(partner)) giveBackFrom(partner, queue, queue.queued.splice(0));
      beginAll();
    };
    const end = () => {
      begun.delete(claimed);
      leave(partner, queue, 1);
      onSent();
    };
    begun.set(claimed, send(claimed, onSent).then(end, end));
  };
  const beginAll = () => {
    while (sendingCount < sendingMax) {
      const next = takeNext(queues, limits);
      if (!next) return;
      const { claimed, queue } = next;
      if (monotonic() < claimed.beginBefore) begin(claimed, queue);
      else giveBackFrom(claimed.delivery.partner, queue, [claimed]);
    }
  };
  const all = () => [...[...queues.values()].flatMap(({ queued }) => queued), ...begun.keys()];
  return {
    roomsOf: (waiting) => roomsOf(waiting, queues, limits),
    add: (claimed) => {
      // One may be claimed again while this node still has it: of a newer replay it is sent all the same.
      const known = new Map(all().map(({ delivery }) => [delivery.id, delivery]));
      for (const one of claimed) {
        const before = known.get(one.delivery.id);
        if (!before || before.series < one.delivery.series) enqueue(queues, one);
      }
      beginAll();
    },
    overdue: (now) => all().flatMap(({ delivery, claimEndsAt }) => (claimEndsAt <= now ? [delivery.id] : [])),
    count: () => [...queues.values()].reduce((sum, { claimed }) => sum + claimed, 0),
    close: async () => {
      for (const [partner, queue] of queues) giveBackFrom(partner, queue, queue.queued.splice(0));
      await Promise.all(begun.values());
    },
  };
}

/** In the place of the same notification before its newest replay, where that is queued. */
function enqueue<Claimed extends ClaimedDelivery>(queues: Queues<Claimed>, claimed: Claimed): void {
  const { id, partner } = claimed.delivery;
  const queue = queues.get(partner) ?? { queued: [], sending: 0, claimed: 0 };
  const replaced = queue.queued.findIndex(({ delivery }) => delivery.id === id);
  if (replaced === -1) queue.claimed += 1;
  queue.queued.splice(replaced === -1 ? queue.queued.length : replaced, 1, claimed);
  queues.set(partner, queue);
}

/** The next that may be sent, of the partner whose turn it is. */
function takeNext<Claimed>(queues: Queues<Claimed>, limits: PartnerLimits) {
  for (const [partner, queue] of queues) {
    if (queue.sending >= limits.sendingMax(partner)) continue;
    const claimed = queue.queued.shift();
    if (!claimed) continue;
    queues.delete(partner);
    queues.set(partner, queue);
    return { claimed, queue };
  }
  return undefined;
}

function roomsOf(
  waiting: readonly NotificationEndpoint[],
  queues: Queues<ClaimedDelivery>,
  limits: PartnerLimits,
): readonly DeliveryRoom[] {
  const claimedOf = (partner: string) => queues.get(partner)?.claimed ?? 0;
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
