/** The job that compacts accounts, and the metric of how much larger than needed their table is. */
import { createCompactAccounts } from "../jobs/compact-accounts.ts";
import type { Job } from "../jobs/job.ts";
import type { Core } from "./core.ts";

export function createCompaction({ adminPool: pool, metrics }: Core): Job {
  let excess: number | undefined;
  const metric = {
    name: "titian_accounts_excess_bytes",
    help: "By how much the table of accounts is larger than its rows need, by PostgreSQL's statistics.",
  };
  metrics.gauge(metric, () => (excess === undefined ? [] : [{ labels: {}, value: excess }]));
  return createCompactAccounts({ pool, onExcess: (bytes) => void (excess = bytes) });
}
