/**
 * Bulks (20) end to end: accepted over HTTP, carried by a rail of 0 ms and recorded, beside interbank transfers (18) on the
 * same rail, and what they cost callers of intrabank transfers (17).
 */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase } from "../database/databases.ts";
import { startLoadedService } from "../load/start-loaded-service.ts";
import type { Service } from "../load/start-service.ts";
import { rotate } from "../plan.ts";
import type { Load, Measured } from "../subject.ts";
import { auditDatabase } from "../subjects/audit-database.ts";
import { createAnswerCheck } from "../subjects/check-answers.ts";
import { checkSettled } from "../subjects/check-settled.ts";
import { measure } from "../subjects/measure.ts";
import { runWindow } from "../subjects/run-window.ts";
import type { Worker } from "../workers/start-worker.ts";
import {
  type BulkCell,
  bulkCells,
  type BulkRound,
  type BulkWindow,
  intrabankCallers,
  singlesCallers,
} from "./bulk-cells.ts";
import { makeBulkRequests } from "./bulk-requests.ts";
import { type OpenBulks, sendBulks, watchOpenBulks } from "./send-bulks.ts";

export interface BulkOptions {
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Of each bulk. */
  readonly bulkItems: number;
  readonly onProgress: (text: string) => void;
}

interface Bench extends BulkOptions {
  readonly service: Service;
  readonly worker: Worker;
  readonly payers: readonly string[];
  readonly open: OpenBulks;
  /** Counts what was answered with success. */
  readonly count: (done: number) => void;
}

const database = "bench_bulks";

export async function measureBulks(options: BulkOptions): Promise<readonly BulkRound[]> {
  const { cluster, onProgress } = options;
  onProgress("preparing bulks");
  const url = await createLedgerDatabase(cluster.url, database);
  const rounds: BulkRound[] = [];
  {
    await using loaded = await startLoadedService({ url, accounts: options.accounts, rails: "bench" });
    const { service, worker, payers } = loaded;
    const answers = await createAnswerCheck("bulks", url);
    await using open = await watchOpenBulks(url);
    const bench: Bench = { ...options, service, worker, payers, open, count: answers.add };
    onProgress("warming up bulks");
    await runCalls(bench, "rail0", singlesCallers);
    await runBulks(bench, bulkCells[0] as BulkCell);
    while (rounds.length < options.rounds) {
      rounds.push(await runRound(bench, rounds.length));
      await answers.check();
      await checkSettled("bulks", url);
    }
  }
  await auditDatabase("bulks", url, onProgress);
  await dropDatabase(cluster.url, database);
  return rounds;
}

async function runRound(bench: Bench, round: number): Promise<BulkRound> {
  const { rounds, onProgress } = bench;
  const tell = (text: string) => onProgress(`bulks ${round + 1}/${rounds}  ${text}`);
  const singles = await runCalls(bench, "rail0", singlesCallers);
  tell(`interbank transfers (18) ${singles.perSecond.toFixed(0)}/s`);
  const windows: [BulkCell["name"], BulkWindow][] = [];
  for (const cell of rotate(bulkCells, round)) {
    const window = await runBulks(bench, cell);
    windows.push([cell.name, window]);
    const { items, acceptedMs, peaks } = window;
    const accepted = `accepted within ${Math.max(...acceptedMs).toFixed(0)} ms`;
    tell(
      `${cell.title}: ${items.perSecond.toFixed(0)} items/s, ${accepted}, block ${peaks.longestBlockMs.toFixed(0)} ms`,
    );
  }
  // Each cell once.
  return { singles, cells: Object.fromEntries(windows) as BulkRound["cells"] };
}

async function runBulks(bench: Bench, { bulks, itemBytes, withCallers }: BulkCell): Promise<BulkWindow> {
  const { cluster, service, payers, open, bulkItems } = bench;
  const requests = await makeBulkRequests(service.partner, payers.slice(0, bulks), { items: bulkItems, itemBytes });
  const before = withCallers ? await runCalls(bench, "uniform", intrabankCallers) : undefined;
  await service.setRails({ answerMs: 0, collects: true });
  let acceptedMs: readonly number[] = [];
  const settle = async () => {
    acceptedMs = await sendBulks(service.partner, requests);
    await open.settled();
  };
  const run = async () => {
    const startedAt = performance.now();
    await settle();
    const done = bulks * bulkItems;
    const perSecond = done / ((performance.now() - startedAt) / 1_000);
    return { done, perSecond, p50Ms: undefined, p99Ms: undefined };
  };
  const settled = measure({ cluster, services: [service.pid] }, run);
  const during = before && (await runMeanwhile(bench, settled));
  const items = await settled;
  bench.count(bulks * (1 + bulkItems));
  const peaks = await service.setRails({ answerMs: 0, collects: true });
  return { items, acceptedMs, peaks, ...(before && during && { callers: { before, during } }) };
}

/** Windows of callers, one after the other, until the bulks are settled; the last only where it is the only one. */
async function runMeanwhile(bench: Bench, settled: Promise<unknown>): Promise<readonly Measured[]> {
  let isSettled = false;
  const ended = settled.finally(() => {
    isSettled = true;
  });
  // Its failure is the caller's to report.
  ended.catch(() => undefined);
  const windows: Measured[] = [];
  do windows.push(await runCalls(bench, "uniform", intrabankCallers));
  while (!isSettled);
  return windows.length === 1 ? windows : windows.slice(0, -1);
}

async function runCalls(
  { cluster, service, worker, seconds, count }: Bench,
  load: Load,
  callers: number,
): Promise<Measured> {
  const measured = await runWindow(worker, { cluster, services: [service.pid] }, { load, callers, seconds });
  count(measured.done);
  return measured;
}
