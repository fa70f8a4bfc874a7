/**
 * Delivers notifications to partners: at least once, each with one external id and one body, a subject's in order, and
 * each partner by itself: a system that does not respond delays no other's (spec D14). No transaction is open meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, type Moment, momentOf } from "../../basics/clock.ts";
import { externalIdOf } from "../../basics/ids.ts";
import { type ClaimPause, createClaimPause } from "../../jobs/claim-pause.ts";
import type { DueJob } from "../../jobs/job.ts";
import type { NotificationEndpoint, WriteNotification } from "../../interfaces/notifications.ts";
import type { ConfirmedCommit } from "../../store/postgres/confirmation/confirmed-commit.ts";
import { isUnconfirmedClaim } from "../../store/postgres/claim-rows.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { mayBeOfOneRow } from "../../store/postgres/database-away.ts";
import {
  type AttemptRecord,
  claimDeliveries,
  type ClaimedNotification,
  type DeliveryCapacity,
  recordAttempts,
  releaseDeliveries,
} from "../../store/tables/notifications/deliveries.ts";
import {
  countDueDeliveries,
  findDuePartners,
  keepUnaddressed,
} from "../../store/tables/notifications/due-deliveries.ts";
import { createBatches } from "../batch-calls.ts";
import type { ClaimedAttempt, SendProgress } from "./delivery-lane.ts";
import { createDeliveryQueues, type DeliveryQueues } from "./delivery-queues.ts";
import { type PostDeps, postNotification } from "../post-notification.ts";
import { nextAttemptAt } from "./schedule.ts";
import { isSignable } from "../sign-notification.ts";

export interface DeliverDeps extends PostDeps {
  readonly database: StatementPool;
  readonly clock: Clock;
  readonly writeNotification: WriteNotification;
  /** Endpoints of all partners, by internal id. */
  readonly endpoints: () => ReadonlyMap<string, NotificationEndpoint>;
  /** Time since these were all that the database has (ms); undefined: too long ago for anything to be sent or kept by them. */
  readonly endpointsAgeMs: () => number | undefined;
  /** Time limit of a whole exchange (ms). */
  readonly timeoutMs: number;
  /** Longest time that one signature takes beside it (ms); absent: none. */
  readonly signingMs?: number;
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
  /** The commit of a claim was not confirmed: so many, at least, are not sent until the claim ends. */
  unconfirmed(notifications: number): void;
  /** This node could not make or record an attempt: it is made again. */
  failed(id: string, error: unknown): void;
}

export interface DeliverNotifications extends DueJob {
  /** Waits for those that are being sent, and begins no others. */
  close(): Promise<void>;
}

const everyMs = 250;
const partnersMax = 1_000;
/** Pause before the next claim: claims of many cost less than many claims. */
const pauseMs = 20;
const recordsMax = 256;
/** An attempt that takes longer hangs: it gives up its share. */
const shareMs = 1_000;
/**
 * Attempts that end within it are recorded together while others are under way; sending goes on meanwhile. An attempt
 * takes PostgreSQL 557 us of CPU alone, 98 us in batches of 4 and 49 us in batches of 25, which are those of 1,000 a second
 * (`npm run bench -- --only deliveries`).
 */
const recordsPauseMs = 25;

export function createDeliverNotifications(deps: DeliverDeps): DeliverNotifications {
  const { database, clock, endpoints, events, timeoutMs } = deps;
  let isClosed = false;
  let claiming: Promise<unknown> = Promise.resolve();
  const givingBack = new Set<Promise<void>>();
  const release = createBatches<ClaimedNotification, void>({
    sizeMax: recordsMax,
    work: async (notifications) => {
      await releaseDeliveries(database, notifications, "now");
      return [];
    },
  });
  const giveBack = (notifications: readonly ClaimedNotification[]) => {
    for (const notification of notifications) {
      // One that is not given back is due again when its claim ends.
      const given = release(notification).catch((error: unknown) => events.failed(notification.id, error));
      givingBack.add(given);
      void given.then(() => givingBack.delete(given));
    }
  };
  const attempt = createAttempt(deps, () => queues.count() > 1);
  const pause = createClaimPause(clock);
  const queues = createDeliveryQueues<ConfirmedAttempt>({
    send: ({ notification, commit }, progress) =>
      attempt(notification, commit, progress).catch((error: unknown) => events.failed(notification.id, error)),
    giveBack,
    monotonic: () => clock.monotonic(),
    // A whole queue of one that takes so long is begun before its claim ends.
    quickMs: timeoutMs / 4,
    shareMs: Math.min(shareMs, timeoutMs / 4),
  });
  const claimNext = async (at: ClaimTime): Promise<Claim> => {
    const { claimed, mayBeMore } = await claim(deps, queues, pause, at);
    if (isClosed && claimed.length > 0) giveBack(claimed.map(({ notification }) => notification));
    if (!isClosed) queues.add(claimed);
    return { claimed, mayBeMore };
  };
  return {
    name: "deliver-notifications",
    everyMs,
    actsOnTime: true,
    run: async (mayGoOn) => {
      let count = 0;
      for (;;) {
        // Read before the clock is checked: a jump behind the check makes nothing due, and no claim longer.
        const at = { at: momentOf(clock), now: clock.now() };
        // The last check is whether it is closed: it may be while the clock is checked.
        if (!(await mayGoOn()) || isClosed) break;
        const next = claimNext(at);
        claiming = next.catch(() => undefined);
        const { claimed, mayBeMore } = await next;
        count += claimed.length;
        if (!mayBeMore) break;
        await sleep(pauseMs);
      }
      return count;
    },
    pending: async () => {
      const addressed = [...endpoints().values()].filter(({ address }) => address !== undefined);
      const partners = addressed.map(({ partner }) => partner);
      return queues.count() + (await countDueDeliveries(database, partners, clock.now(), unsignable(endpoints())));
    },
    close: async () => {
      isClosed = true;
      await claiming;
      await queues.close();
      await Promise.all(givingBack);
    },
  };
}

interface ClaimTime {
  readonly now: number;
  readonly at: Moment;
}

interface ConfirmedAttempt extends ClaimedAttempt {
  /** Commit of its claim. */
  readonly commit: ConfirmedCommit;
}

interface Claim {
  readonly claimed: readonly ConfirmedAttempt[];
  /** True: the capacity of a partner was filled, so that more of it may be due. */
  readonly mayBeMore: boolean;
}

/**
 * Partners whose notifications this node cannot sign now: they wait unclaimed, for another node or until the secret is
 * registered again. Claimed ones would be given back and due again at once, in the way of other partners'.
 */
function unsignable(endpoints: ReadonlyMap<string, NotificationEndpoint>): readonly string[] {
  return [...endpoints.values()].flatMap((endpoint) => (isSignable(endpoint) ? [] : [endpoint.partner]));
}

/** Claims due notifications, as far as there is capacity for them. */
async function claim(
  { database, endpoints, endpointsAgeMs, events, timeoutMs, signingMs = 0 }: DeliverDeps,
  queues: DeliveryQueues<ConfirmedAttempt>,
  pause: ClaimPause,
  { now, at }: ClaimTime,
): Promise<Claim> {
  const known = endpoints();
  const ageMs = endpointsAgeMs();
  queues.releaseHanging();
  // Another node may know of a changed address.
  if (ageMs === undefined) return { claimed: [], mayBeMore: false };
  const found = await findDuePartners(database, now, partnersMax, unsignable(known));
  const due = found.flatMap(({ partner, isReplay }) => {
    const endpoint = known.get(partner);
    return endpoint ? [{ endpoint, isReplay }] : [];
  });
  const unaddressed = due.flatMap(({ endpoint: { partner, address } }) => (address === undefined ? [partner] : []));
  await keepUnaddressed(database, unaddressed, { now, createdUntil: now - ageMs });
  const capacities = capacitiesWithin(pause.max(), queues.capacitiesOf(due));
  if (capacities.length === 0) return { claimed: [], mayBeMore: false };
  // An attempt may take two time-outs, one for the token (mode 1), one for the exchange, and two signatures: the token is renewed.
  const attemptMs = 2 * timeoutMs + 2 * signingMs;
  const leaseMs = 2 * attemptMs;
  const wanted = { capacities, now, at, leaseMs, besides: queues.overdue(now) };
  const { rows, commit } = await claimDeliveries(database, wanted).catch((error: unknown) => {
    pause.note(false);
    if (isUnconfirmedClaim(error)) events.unconfirmed(1);
    throw error;
  });
  if (rows.length > 0) pause.note(commit !== undefined);
  if (!commit) {
    if (rows.length > 0) events.unconfirmed(rows.length);
    return { claimed: [], mayBeMore: false };
  }
  const beginBefore = at.monotonic + leaseMs - attemptMs;
  const claimed = rows.map((notification) => ({ notification, commit, beginBefore, claimEndsAt: now + leaseMs }));
  const counts = Map.groupBy(rows, laneOf);
  const mayBeMore = capacities.some((one) => counts.get(laneOf(one))?.length === one.capacity);
  return { claimed, mayBeMore };
}

function laneOf({ partner, isReplay }: Pick<DeliveryCapacity, "partner" | "isReplay">): string {
  return `${partner} ${isReplay}`;
}

function capacitiesWithin(max: number, capacities: readonly DeliveryCapacity[]): readonly DeliveryCapacity[] {
  return max === Infinity ? capacities : capacities.slice(0, max).map((one) => ({ ...one, capacity: max }));
}

/**
 * Sends one notification, and records the attempt together with others' that ended meanwhile. One that cannot be recorded is
 * sent again when its claim ends; it keeps no other from being recorded. `expectsMore`: others are under way.
 */
function createAttempt(deps: DeliverDeps, expectsMore: () => boolean) {
  const { database, clock, events, writeNotification } = deps;
  const record = createBatches<AttemptRecord, void>({
    sizeMax: recordsMax,
    pauseMs: recordsPauseMs,
    expectsMore,
    mayBeOfOneItem: mayBeOfOneRow,
    work: async (records) => {
      await recordAttempts(database, records);
      return [];
    },
  });
  /** As it is now: since the claim the address or a secret may have changed. */
  const endpointOf = ({ partner, replayUrl }: ClaimedNotification): NotificationEndpoint => {
    const endpoint = deps.endpoints().get(partner);
    const address = replayUrl ?? endpoint?.address;
    if (!endpoint || address === undefined) throw new Error("the partner's address was removed");
    return { ...endpoint, address };
  };
  const post = async (notification: ClaimedNotification, commit: ConfirmedCommit, { onBody }: SendProgress) => {
    const body = await writeNotification(notification, endpointOf(notification).partnerId);
    onBody(body.byteLength);
    const endpoint = endpointOf(notification);
    const message = { externalId: externalIdOf(notification.id), body };
    return { endpoint, result: (await postNotification(deps, endpoint, notification.service, message, commit)).result };
  };
  return async (notification: ClaimedNotification, commit: ConfirmedCommit, progress: SendProgress): Promise<void> => {
    const { id, attempt, attemptOfSeries, createdAt } = notification;
    // Claimed before its partner's secret was damaged: it waits with the others, which is no failure to tell of.
    const known = deps.endpoints().get(notification.partner);
    if (known !== undefined && !isSignable(known)) return releaseDeliveries(database, [notification], "now");
    const externalId = externalIdOf(id);
    const { result, endpoint } = await post(notification, commit, progress).catch(async (error: unknown) => {
      // Our own failure uses up no attempt of the partner's.
      await releaseDeliveries(database, [notification], "whenClaimEnds");
      throw error;
    });
    const now = clock.now();
    const isAccepted = result.failure === undefined;
    progress.onSent({ isAccepted, durationMs: result.durationMs });
    // To another address once: its failure says nothing of the partner's own, and leaves the state as it was.
    const isElsewhere = notification.replayUrl !== undefined;
    const nextAt = isAccepted || isElsewhere ? undefined : nextAttemptAt(attemptOfSeries, now, Math.random());
    await record({ ...result, id, attempt, at: now, nextAt });
    const ended = nextAt === undefined && !isElsewhere ? "dead" : "failed";
    events.attempted({
      partnerId: endpoint.partnerId,
      externalId,
      result: isAccepted ? "accepted" : ended,
      ageMs: now - createdAt,
    });
  };
}
