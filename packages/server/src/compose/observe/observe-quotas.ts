/** Quotas of what is stored of partners; one that is used up shows as a metric and a log line. */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";
import type { Config } from "../../config/config.ts";
import { createStoredQuotas, type Quota, type StoredQuotas } from "../../edge/checks/stored-quotas.ts";
import { countBy } from "../../observability/count-by.ts";
import type { Log } from "../../observability/log.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { PartnerDirectory } from "../../edge/partner-directory.ts";

interface Observers {
  readonly metrics: Metrics;
  readonly log: Pick<Log, "warn">;
  readonly partners: Pick<PartnerDirectory, "byKey">;
}

const quotas: readonly Quota[] = ["rejections", "bytes"];
/** A partner has a line in the log once in this time, for each quota. */
const logIntervalMs = 3_600_000;
const partnersMax = 1_000;

export function createObservedQuotas(
  observers: Observers & { readonly config: Config; readonly clock: Clock },
): StoredQuotas {
  const { config, clock } = observers;
  return createStoredQuotas({ clock, limits: config.storedQuotaLimits, onUsedUp: observeQuotas(observers) });
}

/** Called for each write that is answered 429xx00 for it. */
function observeQuotas({ metrics, log, partners }: Observers): (partnerKey: string, quota: Quota) => void {
  const metric = {
    name: "titian_quota_rejections_total",
    help: "Writes answered 429xx00 because as much is stored of their partner as a day's quota lets, by quota.",
    labels: ["quota"],
  };
  const count = countBy(
    metrics,
    metric,
    quotas.map((quota) => [quota]),
  );
  const logged = new LRUCache<string, true>({ max: partnersMax, ttl: logIntervalMs });
  return (partnerKey, quota) => {
    count([quota]);
    const key = `${partnerKey} ${quota}`;
    if (logged.has(key)) return;
    logged.set(key, true);
    const message = "A partner's writes wait: as much is stored of it as a day's quota lets.";
    log.warn("partner.quota_used", message, { partner: partners.byKey(partnerKey)?.partnerId, reason: quota });
  };
}
