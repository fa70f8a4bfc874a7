/** A sandbox of two nodes and twenty partners, each with its endpoint; nodes are killed outright and come back. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { parentOf } from "../../../bench/cpu.ts";
import { onboardPartner } from "../../../packages/server/src/admin/partners/partners.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { createSecrets } from "../../../packages/server/src/basics/secrets.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import type { Service } from "../../support/black-box/service.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { newPartner } from "../../support/partners.ts";
import { type Endpoints, startEndpoints } from "./endpoints.ts";
import { readOutboxStates } from "./outbox-states.ts";
import { watchOthers } from "./others-share.ts";
import type { PlannedEvent } from "./plan-events.ts";
import { type Partner, type RecordedEvent, recordEvents } from "./record-events.ts";

export interface NotificationFixture extends AsyncDisposable {
  readonly endpoints: Endpoints;
  /** All events up to now. */
  readonly events: readonly RecordedEvent[];
  /** Records a plan's events at their times; returns them. */
  record(plan: readonly PlannedEvent[]): Promise<readonly RecordedEvent[]>;
  /** Kills a node (SIGKILL) and starts it again. */
  kill(which: 0 | 1): Promise<void>;
  /** Moves the business time of both nodes, and does what is due. */
  advance(seconds: number): Promise<void>;
  /** Sends those again that were given up; returns how many. */
  replayDead(): Promise<number>;
  /** Counts by state. */
  states(): Promise<Readonly<Record<string, number>>>;
  /** Attempts of each, by its id. */
  attempts(): Promise<ReadonlyMap<string, number>>;
  /** When the last attempt of those that wait is due, from now on (s of business time). */
  lastDueIn(): Promise<number>;
  /** Waits until none of these endpoints' notifications waits. */
  untilDelivered(isMeant: (endpoint: number) => boolean): Promise<void>;
  /** From now until the returned function is called: what others took of the machine, from 0 to 1. */
  watchOthers(): () => number;
  /** Ends both nodes; returns what was wrong with how they ended. */
  end(): Promise<readonly string[]>;
}

/** Within it both nodes follow a move of the clock. */
const followMs = 1_500;
const deliveredWithinMs = 120_000;

export async function startNotificationFixture(): Promise<NotificationFixture> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox());
  const { control, file } = sandbox;
  const endpoints = stack.use(await startEndpoints(file.provider.publicKey));
  const nodes = [sandbox.service, await sandbox.startNode()];
  stack.defer(async () => void (await Promise.all(nodes.map((node) => node.end("SIGKILL")))));
  const ports = nodes.map(({ baseUrl }) => new URL(baseUrl).port);
  const partners = await onboardPartners(file.administrationUrl, endpoints.urls);
  const client = new Client({ connectionString: file.databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const outbox = readOutboxStates(client);
  const postgres = await findPostmaster(client);
  const events: RecordedEvent[] = [];
  let movedMs = 0;
  let movedAt = 0;
  const owned = stack.move();
  return {
    endpoints,
    events,
    record: async (plan) => {
      await sleep(Math.max(0, movedAt + followMs - performance.now()));
      const recorded = await recordEvents(client, partners, plan, movedMs);
      events.push(...recorded);
      return recorded;
    },
    kill: async (which) => {
      await (nodes[which] as Service).end("SIGKILL");
      nodes[which] = await sandbox.startNode({ PORT: ports[which] ?? "" });
    },
    advance: async (seconds) => {
      movedMs += Math.round(seconds * 1_000);
      await control.advance(seconds);
      movedAt = performance.now();
    },
    replayDead: async () => {
      const { replayed } = await control.call<{ replayed: number }>("POST", "notifications/replay", { dead: true });
      return replayed;
    },
    states: () => outbox.states(),
    attempts: () => outbox.attempts(),
    lastDueIn: async () => Math.max(0, (await outbox.lastDueAt()) - (Date.now() + movedMs) / 1_000),
    untilDelivered: async (isMeant) => {
      const keys = partners.filter((_, endpoint) => isMeant(endpoint)).map(({ key }) => key);
      const until = performance.now() + deliveredWithinMs;
      for (let waiting = 1; waiting > 0; await sleep(50)) {
        waiting = await outbox.countWaiting(keys);
        if (performance.now() > until) throw new Error(`${waiting} notifications are not delivered in time`);
      }
    },
    watchOthers: () => {
      const processes = [process.pid, endpoints.pid, ...nodes.map(({ pid }) => pid)];
      return watchOthers({ processes, postgres });
    },
    end: async () => {
      const exits = await Promise.all(nodes.map((node) => node.end("SIGTERM")));
      return exits.flatMap(({ code, signal }) => (code === 0 ? [] : [`a node ended with ${signal ?? code}`]));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function findPostmaster(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return parentOf(rows[0]?.pid ?? 0) ?? 0;
}

async function onboardPartners(url: string, addresses: readonly string[]): Promise<readonly Partner[]> {
  const database = createAdminPool(url, 1);
  // They have no client secret: nothing is sealed.
  const secrets = createSecrets({ current: randomBytes(32) });
  const deps = { database, clock: createClock(), secrets, checkAddress: async () => undefined };
  const partners: Partner[] = [];
  for (const notificationAddress of addresses) {
    const input = newPartner({ signing: "asymmetric", secrets: [], notificationAddress });
    const result = await onboardPartner(deps, input);
    if (!result.ok) throw new Error(result.rejection.message);
    partners.push(result.value);
  }
  await database.end();
  return partners;
}
