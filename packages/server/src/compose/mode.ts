/**
 * Mode of a cell of this node (spec D17): it answers inquiries alone because the node was started so, or because the
 * directory of a rail has lines that the cell's database has forgotten, or was not compared with it yet (ADR 0060). All
 * that depends on it asks here, each time. While home answers inquiries alone no cell takes writes.
 */
import { homeCell } from "../basics/ids.ts";
import type { Config } from "../config/config.ts";
import { startPolling } from "../jobs/polling.ts";
import type { Log } from "../observability/log.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { Metrics } from "../observability/metrics.ts";
import { railsCommand } from "../rails/rails-command.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { listStopped, type StoppedRail } from "../store/tables/rail-records/rail-leases.ts";

export interface Mode {
  isInquiriesOnly(): boolean;
  /** Reason, and what to do; undefined: it takes writes. */
  reason(): string | undefined;
  /** Rails that export nothing; of each with why. */
  stoppedRails(): readonly StoppedRail[];
  /** Waits for the comparison of a rail's directory and the database. `because`: why there is none; undefined: there was one. */
  awaitComparison(rail: RailName, because: () => string | undefined): void;
  /** Lists the rail as stopped while this node does not reach its directory. `because`: why not; undefined: it does. */
  watchReach(rail: RailName, because: () => string | undefined): void;
  /** Reads the rails now, logs what the node is, and reads them each second until it is disposed of. */
  watch(): Promise<AsyncDisposable>;
}

interface ModeDeps {
  readonly cell: number;
  readonly config: Pick<Config, "inquiriesOnly">;
  readonly metrics: Pick<Metrics, "gauge">;
  readonly log: Log;
  /** Records of another node are found by it. */
  readonly adminPool: StatementPool;
}

const everyMs = 1_000;

const alone =
  "answers inquiries alone: writes are answered 503, no job acts, and results of rails are not acknowledged.";
const started =
  "Compare titian rails set-aside with the rails' records, then start without --inquiries-only and TITIAN_INQUIRIES_ONLY.";

export function createMode({ cell, config: { inquiriesOnly }, metrics, log, adminPool }: ModeDeps): Mode {
  const command = railsCommand(cell);
  const subject = cell === homeCell ? "This node" : "This cell";
  let stopped: readonly StoppedRail[] = [];
  let told: string | undefined;
  const awaited = new Map<RailName, () => string | undefined>();
  const reached = new Map<RailName, () => string | undefined>();
  const unreached = (): readonly StoppedRail[] =>
    [...reached].flatMap(([rail, because]) => {
      const why = because();
      return why === undefined ? [] : [{ rail, because: why, isAhead: false }];
    });
  const aheadOf = () => stopped.filter(({ isAhead }) => isAhead).map(({ rail }) => rail);
  const isInquiriesOnly = () => inquiriesOnly || aheadOf().length > 0 || awaited.size > 0;
  const reason = () => {
    const [rail] = aheadOf();
    if (rail !== undefined)
      return `The directory of the ${rail} rail has lines that the database has forgotten: ${command} reconcile ${rail}, then ${command} open ${rail}.`;
    if (inquiriesOnly) return "The node was started with --inquiries-only or TITIAN_INQUIRIES_ONLY.";
    const [uncompared] = awaited;
    if (uncompared === undefined) return undefined;
    const [name, because] = uncompared;
    return `The directory of the ${name} rail is not compared with the database yet, which may have forgotten what is in it: ${because() ?? "it is being read"}.`;
  };
  const tell = () => {
    const now = reason();
    const rail = aheadOf()[0] ?? [...awaited.keys()][0];
    if (now !== undefined && now !== told) log.error("service.inquiries_only", `${subject} ${alone} ${now}`, { rail });
    if (now === undefined && told !== undefined)
      log.warn("service.inquiries_only_ended", `No directory of a rail is ahead. ${subject} takes writes again.`);
    told = now;
  };
  const read = async () => {
    const compared = [...awaited].filter(([, because]) => because() === undefined).map(([rail]) => rail);
    stopped = await listStopped(adminPool);
    // Findings of a comparison are written before it ends: the list behind it has them.
    for (const rail of compared) awaited.delete(rail);
    if (!inquiriesOnly) tell();
  };
  const gauge = { name: "titian_inquiries_only", help: "1 while this node answers inquiries alone." };
  metrics.gauge(gauge, () => Number(isInquiriesOnly()));
  return {
    isInquiriesOnly,
    reason,
    stoppedRails: () => [...stopped, ...unreached()],
    awaitComparison: (rail, because) => void awaited.set(rail, because),
    watchReach: (rail, because) => void reached.set(rail, because),
    watch: async () => {
      if (inquiriesOnly) log.warn("service.inquiries_only", `${subject} ${alone} ${started}`);
      await read();
      // A database that does not answer is told of by others, and the node stays what it is.
      const polling = startPolling({ everyMs, work: read, onError: () => undefined });
      return { [Symbol.asyncDispose]: () => polling.close() };
    },
  };
}
