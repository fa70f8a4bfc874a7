/** The observer that notes calls, the job that keeps them, and the metric of those that are not kept. */
import { hideSecrets, maskBody, type SecretFinder } from "@titian/explain";
import { createCallBuffer } from "../admin/calls/call-buffer.ts";
import { createKeepCalls } from "../admin/calls/keep-calls.ts";
import type { Retention } from "../config/retention.ts";
import type { CallObserver } from "../edge/call-hooks.ts";
import type { Job } from "../jobs/job.ts";
import type { Core } from "./core.ts";
import { followSecrets } from "./known-secrets.ts";

export interface KeptCalls {
  readonly observer: CallObserver;
  readonly job: Job;
  readonly secretFinder: () => SecretFinder;
}

export function keepCalls(core: Core, config: Retention): KeptCalls {
  const { adminPool: pool, clock, secrets, nodeMetrics: metrics, reference } = core;
  const secretFinder = followSecrets(reference);
  const buffer = createCallBuffer();
  let lost = 0;
  const help = "Calls that no record shows, since too many came at once, or since they could not be written.";
  metrics.counter({ name: "titian_kept_calls_dropped_total", help }, () => [
    { labels: {}, value: buffer.dropped() + lost },
  ]);
  const job = createKeepCalls({
    pool,
    clock,
    secrets,
    buffer,
    reference: { byPartnerId: (partnerId) => reference.byPartnerId(partnerId) },
    hide: (body) => maskBody(hideSecrets(body, secretFinder())),
    keepMs: config.keepMs.kept_calls,
    perSecond: config.searchPerSecond,
    onLost: (calls) => {
      lost += calls;
    },
  });
  return { observer: { answered: (call) => buffer.add(call) }, job, secretFinder };
}

/** One observer of them all. */
export function observeBy(observers: readonly (CallObserver | undefined)[]): CallObserver {
  const all = observers.filter((observer) => observer !== undefined);
  return {
    answered: (call) => {
      for (const observer of all) observer.answered(call);
    },
  };
}
