/**
 * Notifications (76): how many a second are signed, sent, accepted and recorded, beside a bare loop that signs and posts the
 * same; and how many transfers a second are left while they go out at a pace.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { forkScript } from "../fork-script.ts";
import { startLoaded } from "../load/start-loaded.ts";
import type { MeasurePart } from "../parts.ts";
import { type Column, divide, figuresTable, measuredColumns } from "../report/figures-table.ts";
import type { Measured, Window } from "../subject.ts";
import { measure } from "../subjects/measure.ts";
import { runWindow } from "../subjects/run-window.ts";
import { startWorker } from "../workers/start-worker.ts";
import type { BareSettings } from "./bare-worker.ts";
import { type Events, openEvents, sampleBody } from "./events.ts";
import { measureRecords, type RecordCosts } from "./measure-records.ts";
import { onboardNotified } from "./partners.ts";

/** Modes of signing notifications: by RSA (mode 2, the default), or by a partner's token and HMAC (mode 1). */
const modes = [
  { mode: "asymmetric", title: "mode 2 (RSA)", perSecond: 1_000 },
  { mode: "symmetric", title: "mode 1 (token and HMAC)", perSecond: 3_000 },
] as const;

const kinds = {
  /** A loop that signs and posts prepared bodies with undici, and does nothing else. */
  bare: "bare loop",
  /** From the commit of the events to the last recorded delivery. */
  service: "service",
  /** Intrabank transfers (17). */
  alone: "transfers (17) alone",
  meanwhile: "transfers (17) while they go out",
} as const;
type Round = Readonly<Record<keyof typeof kinds, Measured>> & { readonly deliveredMeanwhile: number };

/** Number of callers of transfers, and of the bare loop's requests at once: as many as the service has. */
const callers = 256;
/** Notifications a second, while transfers are made. */
const pacePerSecond = 1_000;
/** Until every node works by a changed setting. */
const settingsKnownMs = 2_500;
const paceEveryMs = 20;
/** Until as many go out as are added. */
const paceKnownMs = 1_000;

export const measureDeliveries: MeasurePart = async (options, publish) => {
  const { seconds, onProgress } = options;
  onProgress("preparing notifications");
  await using stack = new AsyncDisposableStack();
  // Only a sandbox notifies an address of this machine. The transfers that its events are about have no journals to audit.
  const terms = { ...options, database: "bench_deliveries", isSandbox: true, isAudited: false };
  const loaded = stack.use(await startLoaded(terms));
  const endpoint = await forkScript<number>(new URL("./endpoint.ts", import.meta.url));
  stack.defer(() => endpoint.close());
  const origin = `http://127.0.0.1:${endpoint.ready}`;
  const secret = randomBytes(24).toString("base64url");
  const partners = stack.use(await onboardNotified({ url: loaded.url, secret, origin }));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const events = stack.use(await openEvents(loaded.url, partners.keys));
  const window: Window = { load: "uniform", callers, seconds };

  async function runMode({ mode, perSecond }: (typeof modes)[number]): Promise<Round> {
    await partners.setMode(mode);
    await sleep(settingsKnownMs);
    const signedBy = mode === "symmetric" ? { secret } : {};
    const bareLoop = await startWorker<BareSettings>(new URL("./bare-worker.ts", import.meta.url), {
      origin,
      privateKey: pem,
      body: sampleBody,
      ...signedBy,
    });
    const bare = await runWindow(bareLoop, { cluster: options.cluster }, window);
    await bareLoop.close();
    const count = Math.ceil(perSecond * seconds);
    await events.prepare(count);
    const service = await measure(loaded.participants, async () => {
      const startedAt = performance.now();
      await events.add(count);
      await events.delivered();
      const elapsedMs = performance.now() - startedAt;
      return { done: count, perSecond: count / (elapsedMs / 1_000), p50Ms: undefined, p99Ms: undefined };
    });
    const alone = await loaded.run(window);
    await events.prepare(pacePerSecond * (seconds + 20));
    let [pace, before, startedAt] = [undefined as Pace | undefined, 0, 0];
    const meanwhile = await loaded.run(window, async () => {
      pace = startPace(events);
      await sleep(paceKnownMs);
      before = await events.countDelivered();
      startedAt = performance.now();
    });
    const delivered = (await events.countDelivered()) - before;
    const deliveredMeanwhile = delivered / ((performance.now() - startedAt) / 1_000);
    await pace?.stop();
    await events.delivered();
    return { bare, service, alone, meanwhile, deliveredMeanwhile };
  }

  const deliveries = modes.map((mode) => ({ ...mode, rounds: [] as Round[] }));
  onProgress("warming up notifications");
  await runMode(modes[1]);
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { rounds, ...mode } of deliveries) {
      const measured = await runMode(mode);
      rounds.push(measured);
      onProgress(`notifications ${round}/${options.rounds}  ${mode.title}: ${measured.service.perSecond.toFixed(0)}/s`);
    }
  }
  onProgress("records of attempts by size of a batch");
  const records = await measureRecords(options.cluster, loaded.url);
  publish({ report: `${writeReport(deliveries)}\n\n${writeRecords(records)}`, figures: { deliveries, records } });
};

interface Pace {
  stop(): Promise<void>;
}

/** Adds events at the pace until it is stopped. */
function startPace(events: Events): Pace {
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

const { rate, postgres, node, others } = measuredColumns;
const compared: readonly Column<Round>[] = [
  {
    title: "service / bare loop",
    of: ({ service, bare }) => divide(service.perSecond, bare.perSecond),
    withSpread: true,
  },
  {
    title: "transfers while they go out / alone",
    of: ({ meanwhile, alone }) => divide(meanwhile.perSecond, alone.perSecond),
    withSpread: true,
  },
  { title: "notifications a second meanwhile", of: ({ deliveredMeanwhile }) => deliveredMeanwhile },
];

function writeReport(deliveries: readonly { readonly title: string; readonly rounds: readonly Round[] }[]): string {
  const rows = deliveries.flatMap(({ title, rounds }) =>
    (Object.keys(kinds) as (keyof typeof kinds)[]).map(
      (kind) => [`${title}, ${kinds[kind]}`, rounds.map((round) => round[kind])] as const,
    ),
  );
  return [
    "## Notifications (76): medians of the rounds (least - most)",
    figuresTable("", [rate, postgres, node, others], rows),
    figuresTable(
      "",
      compared,
      deliveries.map(({ title, rounds }) => [title, rounds] as const),
    ),
  ].join("\n\n");
}

const recordColumns: readonly Column<RecordCosts>[] = [
  { title: "claim, PostgreSQL us", of: ({ claimUs }) => claimUs },
  { title: "record, PostgreSQL us", of: ({ recordUs }) => recordUs },
];

function writeRecords(records: readonly RecordCosts[]): string {
  const rows = records.map((costs) => [`${costs.size}`, [costs]] as const);
  return `## Of each notification, by how many a statement has\n\n${figuresTable("at once", recordColumns, rows)}`;
}
