/**
 * Delivers notifications to partners: at least once, each with one external id and one body, a resource's in order, and
 * each partner by itself: a system that does not respond delays no other's (spec D14). No transaction is open meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { DueJob } from "../jobs/job.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  type AttemptResult,
  claimDeliveries,
  countDueDeliveries,
  type Delivery,
  findDuePartners,
  keepUnaddressed,
  recordAttempt,
  releaseDeliveries,
} from "../store/tables/deliveries.ts";
import type { NotificationEndpoint, WriteNotification } from "../notifications.ts";
import { externalIdOf } from "../ids.ts";
import { createDeliveryRooms } from "./delivery-rooms.ts";
import { nextAttemptAt } from "./schedule.ts";
import { type PostDeps, postNotification } from "./post-notification.ts";

export interface DeliverDeps extends PostDeps {
  readonly database: StatementPool;
  readonly clock: Clock;
  /** Of all partners, by internal id. */
  readonly endpoints: () => ReadonlyMap<string, NotificationEndpoint>;
  readonly writeNotification: WriteNotification;
  /** Of a whole exchange (ms). */
  readonly timeoutMs: number;
  readonly events: DeliveryEvents;
}

export interface AttemptedNotification {
  readonly partnerId: string;
  readonly externalId: string;
  readonly result: "accepted" | "failed" | "dead";
  /** Since its event, in business time. */
  readonly ageMs: number;
}

export interface DeliveryEvents {
  /** An attempt ended and is recorded. */
  attempted(sent: AttemptedNotification): void;
  /** This node could not make or record an attempt: it is made again. */
  failed(id: string, error: unknown): void;
}

export interface DeliverNotifications extends DueJob {
  /** Waits for those that are being sent, and begins no others. */
  close(): Promise<void>;
}

const everyMs = 250;
const partnersMax = 1_000;
/** Pause before the next claim. */
const pauseMs = 20;

export function createDeliverNotifications(deps: DeliverDeps): DeliverNotifications {
  const { database, clock, endpoints } = deps;
  let isClosed = false;
  const sending = createSending(deps, () => isClosed);
  let claiming: Promise<unknown> = Promise.resolve();
  return {
    name: "deliver-notifications",
    everyMs,
    actsOnTime: true,
    run: async (until, mayGoOn) => {
      let count = 0;
      while (!isClosed && clock.real() < until && (!mayGoOn || (await mayGoOn()))) {
        const claim = sending.claim();
        claiming = claim.catch(() => undefined);
        const begun = await claim;
        count += begun;
        if (begun === 0) break;
        // There is room for more as soon as one has ended, and for another partner's at once.
        await Promise.race([...sending.underWay(), sleep(pauseMs)]);
      }
      return count;
    },
    pending: async () => {
      const addressed = [...endpoints().values()].filter(({ address }) => address !== undefined);
      const partners = addressed.map(({ partner }) => partner);
      return sending.underWay().length + (await countDueDeliveries(database, partners, clock.now()));
    },
    close: async () => {
      isClosed = true;
      await claiming;
      await Promise.all(sending.underWay());
    },
  };
}

/** What is due is claimed as far as there is room, and sent. */
function createSending(deps: DeliverDeps, isClosed: () => boolean) {
  const { database, clock, endpoints, events, timeoutMs } = deps;
  const underWay = new Map<string, Promise<void>>();
  const rooms = createDeliveryRooms();

  const begin = (delivery: Delivery, endpoint: NotificationEndpoint) => {
    const { id, partner } = delivery;
    // Claimed again while this node still sends it.
    if (underWay.has(id)) return;
    rooms.begin(partner);
    const ended = attempt(deps, delivery, endpoint)
      .catch((error: unknown) => events.failed(id, error))
      .then((isAccepted) => {
        rooms.end(partner, isAccepted ?? undefined);
        underWay.delete(id);
      });
    underWay.set(id, ended);
  };
  return {
    underWay: () => [...underWay.values()],
    claim: async (): Promise<number> => {
      const now = clock.now();
      const known = endpoints();
      const waiting = (await findDuePartners(database, now, partnersMax)).flatMap(
        (partner) => known.get(partner) ?? [],
      );
      const unaddressed = waiting.flatMap(({ partner, address }) => (address === undefined ? [partner] : []));
      await keepUnaddressed(database, unaddressed, now);
      const free = rooms.of(waiting);
      if (free.length === 0) return 0;
      const claimed = await claimDeliveries(database, {
        rooms: free,
        now,
        leaseMs: 3 * timeoutMs,
        besides: [...underWay.keys()],
      });
      if (isClosed()) {
        await releaseDeliveries(
          database,
          claimed.map(({ id }) => id),
        );
        return 0;
      }
      for (const delivery of claimed) {
        const endpoint = known.get(delivery.partner);
        if (endpoint) begin(delivery, endpoint);
      }
      return claimed.length;
    },
  };
}

/** True when the partner accepted it. */
async function attempt(deps: DeliverDeps, delivery: Delivery, endpoint: NotificationEndpoint): Promise<boolean> {
  const { database, clock, events } = deps;
  const { id, attempt: number, attemptOfSeries, createdAt } = delivery;
  const result = await post(deps, delivery, endpoint);
  const now = clock.now();
  const isAccepted = result.failure === undefined;
  const nextAt = isAccepted ? undefined : nextAttemptAt(attemptOfSeries, now, Math.random());
  await recordAttempt(database, { ...result, id, attempt: number, at: now, nextAt });
  const ended = nextAt === undefined ? "dead" : "failed";
  events.attempted({
    partnerId: endpoint.partnerId,
    externalId: externalIdOf(id),
    result: isAccepted ? "accepted" : ended,
    ageMs: now - createdAt,
  });
  return isAccepted;
}

async function post(deps: DeliverDeps, delivery: Delivery, endpoint: NotificationEndpoint): Promise<AttemptResult> {
  const { id, service, replayUrl } = delivery;
  // What fails here is our own: no attempt of the partner's is used up.
  const body = await deps.writeNotification(delivery);
  const target = { ...endpoint, address: replayUrl ?? endpoint.address };
  const { result } = await postNotification(deps, target, service, { externalId: externalIdOf(id), body });
  return result;
}
