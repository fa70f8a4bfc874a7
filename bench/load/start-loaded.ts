/** The whole service on a database of its own with funded accounts, and the load generator that calls it. */
import type { Cluster } from "../database/cluster.ts";
import { countAccepted, createDatabase, dropDatabase, query, vacuum } from "../database/databases.ts";
import { findPartnerKey } from "../database/open-accounts.ts";
import type { Measured, Window } from "../subject.ts";
import type { Participants } from "../subjects/measure.ts";
import { runWindow } from "../subjects/run-window.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LedgerSettings, type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import type { BenchPartner } from "./partner.ts";
import type { Allocations } from "./sample-allocations.ts";
import { loadSourceTree } from "./source-tree.ts";
import { type NodesOptions, startNodes } from "./start-nodes.ts";
import type { NodeState } from "./watch-node.ts";

export interface LoadedOptions extends NodesOptions {
  readonly cluster: Cluster;
  readonly database: string;
  /** Number of accounts. */
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
  /** Path of another source tree, whose service it is. */
  readonly tree?: string | undefined;
  /** Adds to the database, before it is vacuumed. */
  readonly fill?: (ledger: LedgerSettings) => Promise<void>;
  /** True: its end audits the database, which may take longer than what was measured. */
  readonly isAudited?: boolean;
}

export interface Loaded extends AsyncDisposable {
  readonly url: string;
  readonly caller: BenchPartner;
  readonly accountNumbers: readonly string[];
  readonly participants: Participants;
  /** `onPrepared` runs directly before the measured time. */
  run(window: Window, onPrepared?: () => Promise<void>): Promise<Measured>;
  /** The first node's state; whether it is watched until the next question, which costs it some CPU. */
  watch(watches: boolean): Promise<NodeState>;
  /** Samples the first node's allocations from now on. */
  beginSampling(): Promise<void>;
  endSampling(): Promise<Allocations>;
  /** Adds what was accepted beside the windows. */
  count(done: number): void;
  /** Throws unless there is one accepted write for every success that was answered, and every transfer has ended. */
  check(): Promise<void>;
}

const openStatement = `select (select count(*) from transfers where is_open)::text as open,
  (select coalesce(sum(balance), 0) from accounts where purpose = 'suspense')::text as suspense`;

export async function startLoaded(options: LoadedOptions): Promise<Loaded> {
  const { cluster, database, onProgress, fill, isAudited = true } = options;
  await using stack = new AsyncDisposableStack();
  const tree = await loadSourceTree(options.tree);
  const url = await createDatabase(cluster.url, database);
  const { url: serviceUrl } = await tree.migrateForServices(url);
  stack.defer(() => dropDatabase(cluster.url, database));
  if (isAudited) stack.defer(() => tree.auditDatabase(database, url, onProgress));
  const nodes = await startNodes(options.isSandbox ? url : serviceUrl, tree, options);
  stack.defer(() => nodes.stop());
  const { caller, ports } = nodes;
  const numbers = accountNumbers(options.accounts);
  const ledger = { url, partner: await findPartnerKey(url, caller.partnerId), accountNumbers: numbers };
  await tree.openAccounts(ledger);
  await fill?.(ledger);
  await vacuum(url);
  let answered = await countAccepted(url);
  let railAnswerMs = 0;
  const settings: LoadSettings = { caller, ports, accountNumbers: numbers, url };
  const worker = await startWorker(loadScript, settings);
  stack.defer(() => worker.close());
  const participants = { cluster, services: nodes.pids };
  const owned = stack.move();
  return {
    url,
    caller,
    accountNumbers: numbers,
    participants,
    run: async (window, onPrepared) => {
      const answerMs = window.load === "rail50" ? 50 : 0;
      // Another message would end a watch.
      if (answerMs !== railAnswerMs) await nodes.tell({ railAnswerMs: answerMs });
      railAnswerMs = answerMs;
      const measured = await runWindow(worker, participants, window, onPrepared);
      answered += measured.done;
      return measured;
    },
    watch: async (watches) => {
      const state = await nodes.tell({ railAnswerMs, watches });
      if (state === undefined) throw new Error("This service has no rails of the benches.");
      return state;
    },
    beginSampling: async () => void (await nodes.tell({ railAnswerMs, samples: true })),
    endSampling: async () => {
      const allocations = (await nodes.tell({ railAnswerMs }))?.allocations;
      if (allocations === undefined) throw new Error("This service was not sampled.");
      return allocations;
    },
    count: (done) => {
      answered += done;
    },
    check: () => checkAnswered({ database, url, answered }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** @throws where the database does not hold one accepted write for every success that was answered, or something is open. */
export async function checkAnswered({ database, url, answered }: { database: string; url: string; answered: number }) {
  const rows = await countAccepted(url);
  if (rows !== answered) {
    throw new Error(`${database}: ${answered} calls were answered with success and ${rows} are in the database.`);
  }
  const [row] = await query(url, openStatement);
  if (row?.["open"] === "0" && row["suspense"] === "0") return;
  throw new Error(`${database}: left over are ${JSON.stringify(row)}.`);
}
