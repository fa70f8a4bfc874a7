/**
 * Notifications that this node has claimed, in two lanes with capacity and memory of their own: live ones, and replays,
 * which an operator may make of 100,000 at once or to an address that does not respond. Neither takes anything from the
 * other.
 */
import type { Instant } from "../../basics/clock.ts";
import type { NotificationEndpoint } from "../../interfaces/notifications.ts";
import type { ClaimedNotification, DeliveryCapacity } from "../../store/tables/notifications/deliveries.ts";
import {
  type ClaimedAttempt,
  createDeliveryLane,
  type DeliveryLane,
  type DeliveryLaneOptions,
  type LaneSizes,
} from "./delivery-lane.ts";

export type DeliveryQueuesOptions<Claimed> = Omit<DeliveryLaneOptions<Claimed>, "sizes" | "bytesMaxOf">;

/** A partner with something due: live notifications or replays. */
export interface DuePartner {
  readonly endpoint: NotificationEndpoint;
  readonly isReplay: boolean;
}

export interface DeliveryQueues<Claimed = ClaimedAttempt>
  extends Pick<DeliveryLane<Claimed>, "add" | "count" | "close" | "releaseHanging"> {
  /** Number of each partner's notifications that may be claimed now; those without capacity are left out. */
  capacitiesOf(due: readonly DuePartner[]): readonly DeliveryCapacity[];
  /** Ids of those whose claim has ended by then, although they are still here: an attempt was slow, or the sandbox's clock moved. */
  overdue(now: Instant): readonly string[];
}

const mebibyte = 1_048_576;
/** Bodies in memory: 16 MiB being sent and hanging. The largest fits beside those of partners that are not proven to respond. */
const liveSizes: LaneSizes = {
  claimedMax: 4_096,
  sending: { count: 256, bytes: 8 * mebibyte },
  unproven: { count: 128, bytes: 4 * mebibyte },
  hanging: { count: 1_024, bytes: 1.5 * mebibyte },
  sendingOfOnePartner: 8,
};
const replaySizes: LaneSizes = {
  claimedMax: 512,
  sending: { count: 64, bytes: 6 * mebibyte },
  unproven: { count: 32, bytes: 4 * mebibyte },
  hanging: { count: 256, bytes: 0.5 * mebibyte },
  sendingOfOnePartner: 4,
};

/** Attempts under way at once. */
export const sendingMax = [liveSizes, replaySizes].reduce(
  (sum, { sending, hanging }) => sum + sending.count + hanging.count,
  0,
);

const transferBytesMax = 68 * 1_024;
const bulkBytes = 1_024;
/** An item with a number of 64 characters of 3 bytes and the longest response. */
const itemBytesMax = 384;

/** Largest length of its body (docs/reference/notifications.md#bodies). */
function bytesMaxOf({ itemCount }: ClaimedNotification): number {
  return itemCount === undefined ? transferBytesMax : bulkBytes + itemCount * itemBytesMax;
}

export function createDeliveryQueues<Claimed extends ClaimedAttempt>(
  options: DeliveryQueuesOptions<Claimed>,
): DeliveryQueues<Claimed> {
  const live = createDeliveryLane({ ...options, bytesMaxOf, sizes: liveSizes });
  const replays = createDeliveryLane({ ...options, bytesMaxOf, sizes: replaySizes });
  const lanes = [live, replays];
  const all = () => lanes.flatMap((lane) => lane.list());
  const capacitiesIn = (lane: DeliveryLane<Claimed>, due: readonly DuePartner[]) => {
    const capacities = lane.capacitiesOf(due.map(({ endpoint }) => endpoint.partner));
    return due.flatMap(({ endpoint: { partner, address }, isReplay }, index) => {
      const capacity = capacities[index] ?? 0;
      return capacity > 0 ? [{ partner, isReplay, capacity, hasAddress: address !== undefined }] : [];
    });
  };
  return {
    capacitiesOf: (due) => [
      ...capacitiesIn(
        live,
        due.filter(({ isReplay }) => !isReplay),
      ),
      ...capacitiesIn(
        replays,
        due.filter(({ isReplay }) => isReplay),
      ),
    ],
    add: (claimed) => {
      // One may be claimed again while this node still has it: of a newer replay it is sent all the same.
      const known = new Map(all().map(({ notification }) => [notification.id, notification]));
      const isNew = ({ notification: { id, series } }: Claimed) => (known.get(id)?.series ?? -1) < series;
      const { replayed = [], first = [] } = Object.groupBy(claimed.filter(isNew), ({ notification }) =>
        notification.isReplay ? "replayed" : "first",
      );
      live.add(first);
      replays.add(replayed);
    },
    releaseHanging: () => {
      for (const lane of lanes) lane.releaseHanging();
    },
    overdue: (now) => all().flatMap(({ notification, claimEndsAt }) => (claimEndsAt <= now ? [notification.id] : [])),
    count: () => lanes.reduce((sum, lane) => sum + lane.count(), 0),
    close: async () => void (await Promise.all(lanes.map((lane) => lane.close()))),
  };
}
