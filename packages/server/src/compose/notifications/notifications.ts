/** Delivery of notifications to partners, with its metrics and log lines. */
import type { DueJob } from "../../jobs/job.ts";
import { createBatches } from "../../notify/batch-calls.ts";
import { createDeliverNotifications, type DeliveryEvents } from "../../notify/delivery/deliver-notifications.ts";
import { externalIdOf } from "../../basics/ids.ts";
import { countBy } from "../../observability/count-by.ts";
import { Histogram } from "../../observability/histogram.ts";
import {
  createNotificationWriter,
  type NotificationRecords,
} from "../../operations/notifications/write-notification.ts";
import { createDeliveryPool } from "../../store/postgres/connect.ts";
import { requireStandby } from "../../store/postgres/required-standby.ts";
import type { Core } from "../core.ts";
import type { NotificationSender } from "./notification-sender.ts";

export interface Notifications extends AsyncDisposable {
  readonly job: DueJob;
}

/** Claims, records, and what is given back. */
const poolSize = 3;

/** `sender`: one for all cells of a node. */
export function startNotifications(core: Core, sender: NotificationSender): Notifications {
  const { config, clock, reference } = core;
  const database = createDeliveryPool(core.database.url, poolSize);
  core.replication?.cutWithServer(database);
  if (config.synchronous === "required") requireStandby(database);
  const job = createDeliverNotifications({
    ...sender,
    clock,
    database,
    endpoints: () => reference.endpoints(),
    endpointsAgeMs: () => (reference.isStale() ? undefined : reference.ageMs()),
    writeNotification: createNotificationWriter(readRecords(core)),
    timeoutMs: config.notifications.timeoutMs,
    events: createDeliveryEvents(core),
  });
  return {
    job,
    [Symbol.asyncDispose]: async () => {
      await job.close();
      await database.end();
    },
  };
}

/** Requests are read for many notifications at once. */
const requestsMax = 256;

/** Records from which bodies are written: read among the reads of callers, and never on all of their connections. */
function readRecords({ reads, readShares }: Core): NotificationRecords {
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = await readShares.run("notifications", async () => ({ result: await work() }));
    if (!done) throw new Error("too many reads wait");
    return done.result;
  };
  return {
    findRequest: createBatches({
      sizeMax: requestsMax,
      work: async (ids) => {
        const found = await inTurn(() => reads.listAcceptedRequests(ids));
        const byId = new Map(found.map((request) => [request.id, request]));
        return ids.map((id) => byId.get(id));
      },
    }),
    findTransfer: (id) => inTurn(() => reads.findTransfer(id)),
    listItemResults: (bulk) => inTurn(() => reads.listItemResults(bulk)),
  };
}

const results = ["accepted", "failed", "dead"] as const;
const ageBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 86_400];

function createDeliveryEvents({ metrics, log, onUnconfirmedClaim }: Core): DeliveryEvents {
  const attempts = countBy(metrics, {
    name: "titian_notification_attempts_total",
    help: "Attempts to deliver notifications, by partner and result.",
    labels: ["partner", "result"],
  });
  const ages = new Histogram(ageBounds);
  const age = {
    name: "titian_notification_delivery_seconds",
    help: "Time from an event to the accepted notification of it.",
    labels: [],
  };
  metrics.histogram(age, () => [{ labels: {}, histogram: ages }]);
  return {
    attempted: ({ partnerId: partner, externalId, result, ageMs }) => {
      // All three are there from the first attempt on, so that the first of a kind counts as an increase.
      for (const each of results) attempts([partner, each], each === result ? 1 : 0);
      if (result === "accepted") ages.observe(ageMs / 1_000);
      if (result !== "dead") return;
      const message = "A notification was given up after its last attempt; it can be replayed.";
      log.warn("notification.dead", message, { partner, externalId });
    },
    unconfirmed: (count) => onUnconfirmedClaim("deliver-notifications", count),
    failed: (id, error) =>
      log.error("notification.attempt_failed", "An attempt to deliver a notification failed here; it is repeated.", {
        externalId: externalIdOf(id),
        error,
      }),
  };
}
