/**
 * `npm run torture -- audit`: fills a ledger of 10 million entries, half of them on one account, audits it, adds a few
 * thousand entries, and audits what came since. `npm run torture -- audit --entries=400000`. 10 million take 5 GB
 * while it runs.
 */
import { parseArgs } from "node:util";
import { createDatabase, dropDatabase } from "../../bench/database/databases.ts";
import { startCluster } from "../../bench/database/start-cluster.ts";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { fillLedger } from "../../test/support/database/large-ledger.ts";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "10000000" },
    /** A local PostgreSQL to use instead of an embedded one. */
    cluster: { type: "string" },
  },
});
const transfers = Math.floor(Number(values.entries) / 2);
if (!(transfers > 0)) throw new Error(`--entries is ${values.entries}: give a number from 2 up`);

const database = "bench_audit_scale";
const accounts = 10_000;
const added = 2_500;
const hourMs = 3_600_000;
const onProgress = (text: string) => console.log(text);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function timed<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const startedAt = performance.now();
  return [await work(), performance.now() - startedAt];
}

async function audit(url: string, options: AuditOptions): Promise<void> {
  let entries = 0;
  let slices = 0;
  let longest = 0;
  let sliceAt = performance.now();
  const [{ findings }, ms] = await timed(() =>
    runAudit(url, {
      ...options,
      onProgress: ({ pass, rows }) => {
        if (pass === "journals") entries = rows;
        slices += 1;
        longest = Math.max(longest, performance.now() - sliceAt);
        sliceAt = performance.now();
      },
    }),
  );
  console.log(
    `${entries} entries in ${seconds(ms)}, ${slices} slices, the longest of all its statements together ` +
      `${seconds(longest)}: ${findings.length === 0 ? "in order" : JSON.stringify(findings)}`,
  );
  if (findings.length > 0) process.exitCode = 1;
}

const cluster = await startCluster({ given: values.cluster, onProgress });
try {
  const url = await createDatabase(cluster.url, database);
  await migrate(url, { now: Date.now() });
  const startMs = Date.now() - transfers - 4 * hourMs;
  const [, fillMs] = await timed(() => fillLedger(url, { after: 0, transfers, accounts, startMs }));
  console.log(`${transfers * 2} entries, half of them on one account: filled in ${seconds(fillMs)}`);
  await audit(url, { watermark: "use", lateCommitMs: hourMs });
  await fillLedger(url, { after: transfers, transfers: added, accounts, startMs: Date.now() - hourMs / 2 });
  console.log(`${added * 2} more`);
  await audit(url, { watermark: "use" });
} finally {
  await dropDatabase(cluster.url, database);
  await cluster.stop();
}
