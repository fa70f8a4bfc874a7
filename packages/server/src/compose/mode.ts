/**
 * Whether this node answers inquiries alone (spec D17): because it was started so, or because the directory of a rail has lines
 * that the database has forgotten (ADR 0060). All that depends on it asks here, each time.
 */
import type { Config } from "../config/config.ts";
import { startPolling } from "../jobs/polling.ts";
import type { Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { listStopped, type StoppedRail } from "../store/tables/rail-records/rail-leases.ts";

export interface Mode {
  isInquiriesOnly(): boolean;
  /** Why, and what to do; undefined: it takes writes. */
  reason(): string | undefined;
  /** Rails that export nothing; of each with why. */
  stoppedRails(): readonly StoppedRail[];
  /** Reads the rails now, logs what the node is, and reads them each second until it is disposed of. */
  watch(): Promise<AsyncDisposable>;
}

interface ModeDeps {
  readonly config: Pick<Config, "inquiriesOnly">;
  readonly metrics: Pick<Metrics, "gauge">;
  readonly log: Log;
  /** What another node wrote is found. */
  readonly adminPool: StatementPool;
}

const everyMs = 1_000;

const alone =
  "This node answers inquiries alone: writes are answered 503, no job acts, and results of rails are not acknowledged.";
const started =
  "Compare titian rails set-aside with the rails' records, then start without --inquiries-only and TITIAN_INQUIRIES_ONLY.";

export function createMode({ config: { inquiriesOnly }, metrics, log, adminPool }: ModeDeps): Mode {
  let stopped: readonly StoppedRail[] = [];
  let told: string | undefined;
  const aheadOf = () => stopped.filter(({ isAhead }) => isAhead).map(({ rail }) => rail);
  const isInquiriesOnly = () => inquiriesOnly || aheadOf().length > 0;
  const reason = () => {
    const [rail] = aheadOf();
    if (rail !== undefined)
      return `The directory of the ${rail} rail has lines that the database has forgotten: titian rails reconcile ${rail}, then titian rails open ${rail}.`;
    return inquiriesOnly ? "The node was started with --inquiries-only or TITIAN_INQUIRIES_ONLY." : undefined;
  };
  const tell = () => {
    const now = aheadOf().length > 0 ? reason() : undefined;
    if (now !== undefined && now !== told)
      log.error("service.inquiries_only", `${alone} ${now}`, { rail: aheadOf()[0] });
    if (now === undefined && told !== undefined)
      log.warn("service.inquiries_only_ended", "The rails were opened, and this node takes writes again.");
    told = now;
  };
  const read = async () => {
    stopped = await listStopped(adminPool);
    if (!inquiriesOnly) tell();
  };
  const gauge = { name: "titian_inquiries_only", help: "1 while this node answers inquiries alone." };
  metrics.gauge(gauge, () => Number(isInquiriesOnly()));
  return {
    isInquiriesOnly,
    reason,
    stoppedRails: () => stopped,
    watch: async () => {
      if (inquiriesOnly) log.warn("service.inquiries_only", `${alone} ${started}`);
      await read();
      // A database that does not answer is told of by others, and the node stays what it is.
      const polling = startPolling({ everyMs, work: read, onError: () => undefined });
      return { [Symbol.asyncDispose]: () => polling.close() };
    },
  };
}
