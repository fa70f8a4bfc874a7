/**
 * Notifications of one kind that this node has claimed: a queue for each partner, of which a few are sent at once. An attempt
 * holds its share for a moment alone: one that takes longer hangs, and counts among those that hang. So a partner whose system
 * does not respond fills its own queue alone, however many there are of such partners, and leaves the rest to other nodes.
 */
import type { Instant } from "../../basics/clock.ts";
import type { ClaimedNotification } from "../../store/tables/notifications/deliveries.ts";
import { createPartnerLimits, type PartnerLimits, type Sent } from "./partner-limits.ts";
import { createPartnerQueues, type PartnerQueue, type PartnerQueues } from "./partner-queues.ts";
import {
  createAttemptCapacity,
  type CapacityShare,
  type CapacitySizes,
  type AttemptCapacity,
} from "./attempt-capacity.ts";

export interface ClaimedAttempt {
  readonly notification: ClaimedNotification;
  /** Later (monotonic) it is not begun: its claim would end before it does. */
  readonly beginBefore: number;
  /** When its claim ends (business time, epoch ms). */
  readonly claimEndsAt: Instant;
}

export interface SendProgress {
  /** Its body is written and has so many bytes. */
  onBody(bytes: number): void;
  /** It was sent, and ended so; it is not recorded yet. */
  onSent(sent: Sent): void;
}

export interface DeliveryLaneOptions<Claimed> {
  /** Sends one, says how far it is, and records the attempt. Rejects when that fails. */
  send(claimed: Claimed, progress: SendProgress): Promise<void>;
  /** Those that are not sent from here after all. */
  giveBack(notifications: readonly ClaimedNotification[]): void;
  monotonic(): number;
  /** A partner that responds within it (ms) may have a longer queue. */
  readonly quickMs: number;
  /** Time for which an attempt holds its share (ms). */
  readonly shareMs: number;
  /** Bytes that its body may have, until it is written. */
  bytesMaxOf(notification: ClaimedNotification): number;
  readonly sizes: LaneSizes;
}

export interface LaneSizes extends CapacitySizes {
  /** Queued and being sent. */
  readonly claimedMax: number;
  /** At once, of one partner. */
  readonly sendingOfOnePartner: number;
}

export interface DeliveryLane<Claimed = ClaimedAttempt> {
  /** Number of notifications that may be claimed now, by partner, in their order. */
  capacitiesOf(partners: readonly string[]): readonly number[];
  add(claimed: readonly Claimed[]): void;
  /** Attempts that hang give up their shares, and others begin. */
  releaseHanging(): void;
  /** All that are queued or under way. */
  list(): readonly Claimed[];
  /** Counts notifications that are queued, being sent or being recorded. */
  count(): number;
  /** Gives back what is queued, and waits for what is being sent and recorded. */
  close(): Promise<void>;
}

interface Attempt<Claimed> {
  readonly share: CapacityShare;
  readonly queue: PartnerQueue<Claimed>;
  readonly beganAt: number;
  isHanging: boolean;
  ended?: Promise<void>;
}

interface Lane<Claimed> extends DeliveryLaneOptions<Claimed> {
  readonly queues: PartnerQueues<Claimed>;
  readonly begun: Map<Claimed, Attempt<Claimed>>;
  readonly limits: PartnerLimits;
  readonly capacity: AttemptCapacity;
}

export function createDeliveryLane<Claimed extends ClaimedAttempt>(
  options: DeliveryLaneOptions<Claimed>,
): DeliveryLane<Claimed> {
  const { giveBack, monotonic, quickMs, shareMs, sizes } = options;
  const queues = createPartnerQueues<Claimed>();
  const begun = new Map<Claimed, Attempt<Claimed>>();
  const limits = createPartnerLimits({ quickMs, sendingMax: sizes.sendingOfOnePartner });
  const lane: Lane<Claimed> = { ...options, queues, begun, limits, capacity: createAttemptCapacity(sizes) };
  let isBeginning = false;
  const beginAll = () => {
    // An attempt that begins may end or free capacity at once: the same loop goes on.
    if (isBeginning) return;
    isBeginning = true;
    for (let next = takeNext(lane); next; next = takeNext(lane)) {
      if (monotonic() < next.claimed.beginBefore) begin(lane, next, beginAll);
      else {
        giveBack([next.claimed.notification]);
        queues.leave(next.queue);
      }
    }
    isBeginning = false;
  };
  return {
    capacitiesOf: (partners) => capacitiesOf(lane, partners),
    add: (claimed) => {
      for (const one of claimed) queues.enqueue(one);
      beginAll();
    },
    releaseHanging: () => {
      const before = monotonic() - shareMs;
      for (const attempt of begun.values()) {
        if (attempt.beganAt > before || !attempt.share.hang()) continue;
        attempt.isHanging = true;
        attempt.queue.hanging += 1;
      }
      beginAll();
    },
    list: () => [...[...queues.list()].flatMap(({ queued }) => queued), ...begun.keys()],
    count: () => [...queues.list()].reduce((sum, { claimed }) => sum + claimed, 0),
    close: async () => {
      for (const queue of queues.list()) giveBackQueued(lane, queue);
      await Promise.all([...begun.values()].map(async ({ ended }) => ended));
    },
  };
}

function giveBackQueued<Claimed extends ClaimedAttempt>(
  { queues, giveBack }: Lane<Claimed>,
  queue: PartnerQueue<Claimed>,
): void {
  const drained = queues.drain(queue);
  if (drained.length > 0) giveBack(drained.map(({ notification }) => notification));
}

/** The next that may be sent, of the partner whose turn it is; those that have none come before others' further ones. */
function takeNext<Claimed extends ClaimedAttempt>({ queues, limits, capacity, bytesMaxOf }: Lane<Claimed>) {
  for (const isFirst of [true, false]) {
    // No partner's may begin: their queues need no look.
    if (!capacity.mayTake(1, true, isFirst)) continue;
    const claimed = queues.dequeue(({ partner, sending }, { notification }) => {
      const sendingMax = isFirst ? 1 : limits.sendingMax(partner);
      return sending < sendingMax && capacity.mayTake(bytesMaxOf(notification), limits.isProven(partner), isFirst);
    });
    const queue = claimed && queues.find(claimed.notification.partner);
    if (queue) return { claimed, queue };
  }
  return undefined;
}

interface Next<Claimed> {
  readonly claimed: Claimed;
  readonly queue: PartnerQueue<Claimed>;
}

function begin<Claimed extends ClaimedAttempt>(
  lane: Lane<Claimed>,
  { claimed, queue }: Next<Claimed>,
  beginAll: () => void,
): void {
  const { begun, limits, capacity, queues, send } = lane;
  const { partner } = queue;
  const share = capacity.take(lane.bytesMaxOf(claimed.notification), limits.isProven(partner));
  const attempt: Attempt<Claimed> = { share, queue, beganAt: lane.monotonic(), isHanging: false };
  queue.sending += 1;
  let isSending = true;
  const onBody = (size: number) => {
    share.resize(size);
    beginAll();
  };
  const onSent = (sent?: Sent) => {
    if (!isSending) return;
    isSending = false;
    queue.sending -= 1;
    if (attempt.isHanging) queue.hanging -= 1;
    share.end();
    if (sent) limits.learn(partner, sent);
    if (limits.isFailing(partner)) giveBackQueued(lane, queue);
    beginAll();
  };
  const end = () => {
    begun.delete(claimed);
    queues.leave(queue);
    onSent();
  };
  begun.set(claimed, attempt);
  attempt.ended = send(claimed, { onBody, onSent }).then(end, end);
}

/** Capacity left by partner; a notification that hangs is in nobody's way. */
function capacitiesOf<Claimed>(
  { queues, limits, capacity, sizes }: Lane<Claimed>,
  partners: readonly string[],
): readonly number[] {
  let [left, ofUnproven] = [sizes.claimedMax, sizes.unproven.count];
  for (const { partner, claimed, hanging } of queues.list()) {
    left -= claimed - hanging;
    if (!limits.isProven(partner)) ofUnproven -= claimed - hanging;
  }
  return partners.map((partner) => {
    const isProven = limits.isProven(partner);
    // Nothing is claimed that would wait for memory.
    if (!capacity.mayTake(1, isProven, true)) return 0;
    const free = limits.capacity(partner, queues.find(partner)?.claimed ?? 0);
    const given = Math.max(0, Math.min(free, left, isProven ? left : ofUnproven));
    left -= given;
    if (!isProven) ofUnproven -= given;
    return given;
  });
}
