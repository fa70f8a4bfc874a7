/**
 * Notifications (76): how many a second are signed, sent, accepted and recorded, beside a bare loop that signs and posts the
 * same; and how many transfers a second are left while they go out at a pace.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase } from "../database/databases.ts";
import { startLoadedService } from "../load/start-loaded-service.ts";
import type { Service } from "../load/start-service.ts";
import type { Measured } from "../subject.ts";
import { measure } from "../subjects/measure.ts";
import { runWindow } from "../subjects/run-window.ts";
import type { Worker } from "../workers/start-worker.ts";
import {
  type DeliveryMode,
  deliveryModes,
  type DeliveryRound,
  type DeliveryWindow,
  pacePerSecond,
  transferCallers,
} from "./delivery-cells.ts";
import { type Events, openEvents, sampleBody } from "./events.ts";
import { type NotifiedPartners, onboardNotified } from "./partners.ts";
import { type BareLoop, startBareLoop } from "./start-bare.ts";
import { startEndpoint } from "./start-endpoint.ts";

export interface DeliveryOptions {
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly rounds: number;
  /** Of a window with transfers; notifications are as many as take about as long. */
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

interface Bench extends DeliveryOptions {
  readonly service: Service;
  readonly worker: Worker;
  readonly bare: BareLoop;
  readonly events: Events;
  readonly partners: NotifiedPartners;
}

const database = "bench_deliveries";
/** Until every node works by a changed setting. */
const settingsKnownMs = 2_500;
const paceEveryMs = 20;

export async function measureDeliveries(options: DeliveryOptions): Promise<readonly DeliveryRound[]> {
  const { cluster, onProgress } = options;
  onProgress("preparing notifications");
  await using stack = new AsyncDisposableStack();
  const url = await createLedgerDatabase(cluster.url, database);
  stack.defer(() => dropDatabase(cluster.url, database));
  const masterKey = randomBytes(32);
  const env = { TITIAN_MASTER_KEY: masterKey.toString("base64") };
  const { service, worker } = stack.use(
    await startLoadedService({ url, accounts: options.accounts, rails: "bench", env }),
  );
  const endpoint = await startEndpoint();
  stack.defer(() => endpoint.close());
  const { origin } = endpoint;
  const secret = randomBytes(24).toString("base64url");
  const partners = stack.use(await onboardNotified({ url, masterKey, secret, origin }));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const bare = await startBareLoop({ origin, privateKey: pem, secret, body: sampleBody });
  stack.defer(() => bare.close());
  const events = stack.use(await openEvents(url, partners.keys));
  const bench: Bench = { ...options, service, worker, bare, events, partners };
  onProgress("warming up notifications");
  await runMode(bench, "symmetric");
  const rounds: DeliveryRound[] = [];
  while (rounds.length < options.rounds) {
    const windows: [DeliveryMode, DeliveryWindow][] = [];
    for (const mode of deliveryModes) {
      const window = await runMode(bench, mode);
      windows.push([mode, window]);
      const { service: delivered, bare: sent, transfersAlone, transfersMeanwhile } = window;
      onProgress(
        `notifications ${rounds.length + 1}/${options.rounds}  ${mode}: ${delivered.perSecond.toFixed(0)}/s, bare ${sent.perSecond.toFixed(0)}/s; ` +
          `transfers ${transfersMeanwhile.perSecond.toFixed(0)}/s with ${window.deliveredMeanwhile.toFixed(0)} notifications/s, ${transfersAlone.perSecond.toFixed(0)}/s alone`,
      );
    }
    // Each mode once.
    rounds.push(Object.fromEntries(windows) as DeliveryRound);
  }
  return rounds;
}

async function runMode(bench: Bench, mode: DeliveryMode): Promise<DeliveryWindow> {
  const { bare, cluster, service, worker, events, partners, seconds } = bench;
  await partners.setMode(mode);
  await sleep(settingsKnownMs);
  const count = Math.ceil((mode === "symmetric" ? 3_000 : 1_000) * seconds);
  const send = () => bare.send({ mode, count });
  const sent = await measure({ cluster, caller: bare.pid }, () => rateOf(count, send));
  await events.prepare(count);
  const deliver = async () => {
    const startedAt = performance.now();
    await events.add(count);
    await events.delivered();
    return performance.now() - startedAt;
  };
  const delivered = await measure({ cluster, services: [service.pid] }, () => rateOf(count, deliver));

  const window = { load: "uniform", callers: transferCallers, seconds } as const;
  const transfersAlone = await runWindow(worker, { cluster, services: [service.pid] }, window);
  await events.prepare(pacePerSecond * (seconds + 20));
  const pace = startPace(events);
  const before = await events.countDelivered();
  const startedAt = performance.now();
  const transfersMeanwhile = await runWindow(worker, { cluster, services: [service.pid] }, window);
  const deliveredMeanwhile = ((await events.countDelivered()) - before) / ((performance.now() - startedAt) / 1_000);
  await pace.stop();
  await events.delivered();
  return { bare: sent, service: delivered, transfersAlone, transfersMeanwhile, deliveredMeanwhile };
}

async function rateOf(
  done: number,
  work: () => Promise<number>,
): Promise<Pick<Measured, "done" | "perSecond" | "p50Ms" | "p99Ms">> {
  const elapsedMs = await work();
  return { done, perSecond: done / (elapsedMs / 1_000), p50Ms: undefined, p99Ms: undefined };
}

/** Adds events at the pace until it is stopped. */
function startPace(events: Events): { stop(): Promise<void> } {
  let isStopped = false;
  const run = async () => {
    const startedAt = performance.now();
    for (let added = 0; !isStopped; ) {
      const wanted = Math.floor(((performance.now() - startedAt) / 1_000) * pacePerSecond) - added;
      if (wanted > 0) await events.add(wanted);
      added += Math.max(0, wanted);
      await sleep(paceEveryMs);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      isStopped = true;
      await ended;
    },
  };
}
