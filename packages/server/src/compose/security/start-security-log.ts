/** The security log of this process: where its events come from, and its metrics (ADR 0076). */
import { type Config, ConfigError } from "../../config/config.ts";
import type { CallObserver, ObservedCall } from "../../edge/call-hooks.ts";
import { shownClaim } from "../../edge/authentication/shown-claim.ts";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { Job } from "../../jobs/job.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { type OpenSecurityLog, openSecurityLog, type SecurityLog } from "../../observability/security/security-log.ts";
import { findLastActStep } from "../../store/reads/acts.ts";
import { hideSecrets } from "@titian/explain";
import type { Core } from "../core.ts";
import type { KeptCalls } from "../keep-calls.ts";
import { createNoteActSteps } from "./note-act-steps.ts";
import { securityEventOf } from "./security-event-of.ts";

export interface StartedSecurityLog extends AsyncDisposable {
  readonly log: SecurityLog;
  readonly observer: CallObserver;
  readonly jobs: readonly Job[];
  readonly onReuse: (partner: PartnerCredentials) => void;
}

/** Undefined where no file is set. @throws ConfigError where the file cannot be opened. */
export async function startSecurityLog(
  core: Core,
  kept: Pick<KeptCalls, "secretFinder">,
  isWorker: boolean,
): Promise<StartedSecurityLog | undefined> {
  const { config, log, pool } = core;
  if (config.securityLog === undefined) {
    const message = "No security log is kept: set TITIAN_SECURITY_LOG to a file for it.";
    if (!config.sandbox) log.warn("security_log.missing", message, { setting: "TITIAN_SECURITY_LOG" });
    return undefined;
  }
  const behind = await findLastActStep(pool);
  const security = await open(core, config.securityLog, isWorker);
  observe(core.nodeMetrics, security);
  return {
    log: security,
    observer: { answered: (call) => noteCall(core, kept, security, call) },
    jobs: [createNoteActSteps(pool, security, behind)],
    onReuse: ({ key, partnerId }) => security.add("grant.ended", key, () => ({ partner: partnerId })),
    [Symbol.asyncDispose]: () => security[Symbol.asyncDispose](),
  };
}

/** Workers have a file each: one that comes opens its own before the one it replaces has closed. */
async function open({ clock, log }: Core, file: NonNullable<Config["securityLog"]>, isWorker: boolean) {
  const path = isWorker ? `${file}.${process.pid}` : file;
  try {
    return await openSecurityLog({ path, clock, log });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`TITIAN_SECURITY_LOG must be a file that this process can append to: ${why}`]);
  }
}

function noteCall(
  { reference }: Core,
  { secretFinder }: Pick<KeptCalls, "secretFinder">,
  security: OpenSecurityLog,
  call: ObservedCall,
): void {
  const found = securityEventOf(call);
  if (found === undefined) return;
  const { partnerId: claimed = "", address, operation, id: correlationId } = call;
  const partner = reference.byPartnerId(claimed);
  // Invented names are bounded together.
  security.add(found.event, partner?.key ?? "", () => ({
    address,
    partner: partner?.partnerId ?? (claimed === "" ? undefined : shownClaim(claimed, { hide: hideIn(secretFinder) })),
    operation,
    correlationId,
    reason: found.reason,
  }));
}

const hideIn = (secretFinder: KeptCalls["secretFinder"]) => (text: string) => hideSecrets(text, secretFinder());

function observe(metrics: Metrics, { counts }: OpenSecurityLog): void {
  const lines = {
    name: "titian_security_log_lines_total",
    help: "Lines of this process's security log, by event.",
    labels: ["event"],
  };
  metrics.counter(lines, () => Array.from(counts().written, ([event, value]) => ({ labels: { event }, value })));
  const omitted = { name: "titian_security_log_omitted_total", help: "Events without a line in the security log." };
  metrics.counter(omitted, () => counts().omitted);
  const failures = { name: "titian_security_log_failures_total", help: "Failed writes of the security log." };
  metrics.counter(failures, () => counts().failures);
}
