/**
 * How many notifications may be sent at once: to all partners together, to one, and to those that failed last together.
 * A partner whose system does not respond fills its own room alone, and one that is slow to fail leaves the rest to others.
 */
import type { NotificationEndpoint } from "../notifications.ts";
import type { DeliveryRoom } from "../store/tables/deliveries.ts";

export interface DeliveryRooms {
  /** The room of each of these partners now; those without any are left out. */
  of(waiting: readonly NotificationEndpoint[]): readonly DeliveryRoom[];
  /** One more is sent to the partner. */
  begin(partner: string): void;
  /** One less; `undefined`: it is not known whether it was accepted. */
  end(partner: string, isAccepted: boolean | undefined): void;
}

const allMax = 256;
const ofOneMax = 8;
const ofOneFailingMax = 1;
const failingMax = 64;

export function createDeliveryRooms(): DeliveryRooms {
  const counts = new Map<string, number>();
  const failing = new Set<string>();
  let all = 0;
  const countOf = (partner: string) => counts.get(partner) ?? 0;
  const change = (partner: string, by: 1 | -1) => {
    const count = countOf(partner) + by;
    all += by;
    if (count === 0) counts.delete(partner);
    else counts.set(partner, count);
  };
  return {
    of: (waiting) => {
      const rooms: DeliveryRoom[] = [];
      let left = allMax - all;
      let ofFailing = failingMax - [...failing].reduce((sum, partner) => sum + countOf(partner), 0);
      for (const { partner, address } of waiting) {
        const isFailing = failing.has(partner);
        const own = (isFailing ? ofOneFailingMax : ofOneMax) - countOf(partner);
        const room = Math.min(own, left, isFailing ? ofFailing : left);
        if (room <= 0) continue;
        rooms.push({ partner, room, hasAddress: address !== undefined });
        left -= room;
        if (isFailing) ofFailing -= room;
      }
      return rooms;
    },
    begin: (partner) => change(partner, 1),
    end: (partner, isAccepted) => {
      change(partner, -1);
      if (isAccepted === true) failing.delete(partner);
      if (isAccepted === false) failing.add(partner);
    },
  };
}
