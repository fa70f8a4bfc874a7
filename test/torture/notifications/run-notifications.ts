/**
 * Notifications to twenty endpoints from two nodes. In windows of the same events the healthy twelve are notified alone, then
 * beside the sick eight; then nodes are killed outright under the same load; then some are given up and replayed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import { type Delays, delaysOf, describeDelays } from "./delays.ts";
import { type Arrival, endpointKinds, isHealthy } from "./endpoint-kinds.ts";
import { findFaults } from "./find-faults.ts";
import { type NotificationFixture, startNotificationFixture } from "./fixture.ts";
import { type PlannedEvent, planEvents } from "./plan-events.ts";
import type { RecordedEvent } from "./record-events.ts";

export interface NotificationOptions {
  /** Windows with the sick endpoints, each beside one without. */
  readonly rounds: number;
  /** Events of a window, of all endpoints. */
  readonly perRound: number;
  /** Events while nodes are killed. */
  readonly whileKilled: number;
  readonly kills: number;
  /** Transfers whose result and return are given up, and replayed. */
  readonly givenUp: number;
  /** Events a second. */
  readonly rate: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

export interface NotificationResult extends TortureResult {
  /**
   * Of the 99th percentile of the healthy endpoints' delay beside the sick ones to that without them: the median of the rounds,
   * so that what others do on the machine in one window does not decide. Undefined without rounds.
   */
  readonly ratio: number | undefined;
}

/** The healthy endpoints' events of a round. */
interface Round {
  readonly alone: readonly RecordedEvent[];
  readonly besideSick: readonly RecordedEvent[];
}

export async function runNotifications(options: NotificationOptions): Promise<NotificationResult> {
  const { rounds, perRound, rate, seed, onProgress } = options;
  await using fixture = await startNotificationFixture();
  const random = randomNumbers(seed);
  const faults: string[] = [];
  const windows: Round[] = [];
  if (rounds > 0) await notifyHealthy(fixture, planEvents({ count: rate * warmUpSeconds, rate, random }));
  for (let round = 1; round <= rounds; round += 1) {
    windows.push(await compare(fixture, planEvents({ count: perRound, rate, random }), round % 2 === 0));
    onProgress?.(`round ${round} of ${rounds}: ${fixture.events.length} events`);
  }
  const killed = await killNodes(fixture, options, random);
  faults.push(...(await giveUp(fixture, options.givenUp)));
  const states = await fixture.states();
  faults.push(...(await fixture.end()), ...fixture.endpoints.faults());
  const arrivals = await fixture.endpoints.arrivals();
  faults.push(...findFaults(fixture.events, arrivals), ...findUndelivered(states, fixture.events.length));
  return { faults, ...summarize(fixture.events, arrivals, windows, killed) };
}

const warmUpSeconds = 5;

async function notifyHealthy(
  fixture: NotificationFixture,
  plan: readonly PlannedEvent[],
): Promise<readonly RecordedEvent[]> {
  const recorded = await fixture.record(plan.filter(({ endpoint }) => isHealthy(endpoint)));
  await fixture.untilDelivered(isHealthy);
  return recorded;
}

async function notifyBesideSick(
  fixture: NotificationFixture,
  plan: readonly PlannedEvent[],
): Promise<readonly RecordedEvent[]> {
  await fixture.endpoints.set("sick");
  const recorded = await fixture.record(plan);
  await fixture.untilDelivered(isHealthy);
  await deliverAll(fixture);
  return recorded.filter(({ endpoint }) => isHealthy(endpoint));
}

/** The same plan without and with the sick endpoints, in turn the one first and the other. */
async function compare(
  fixture: NotificationFixture,
  plan: readonly PlannedEvent[],
  isSickFirst: boolean,
): Promise<Round> {
  const early = isSickFirst ? await notifyBesideSick(fixture, plan) : undefined;
  const alone = await notifyHealthy(fixture, plan);
  return { alone, besideSick: early ?? (await notifyBesideSick(fixture, plan)) };
}

/** Kills one node after the other while events are recorded; returns the healthy endpoints' events. */
async function killNodes(
  fixture: NotificationFixture,
  { whileKilled, kills, rate, onProgress }: NotificationOptions,
  random: () => number,
): Promise<readonly RecordedEvent[]> {
  await fixture.endpoints.set("sick");
  const recording = fixture.record(planEvents({ count: whileKilled, rate, random }));
  // Awaited below; a kill that fails must not leave it unheard.
  recording.catch(() => undefined);
  const startedAt = performance.now();
  for (let kill = 1; kill <= kills; kill += 1) {
    const atMs = ((kill - random() / 2) * whileKilled * 1_000) / rate / (kills + 1);
    await sleep(Math.max(0, startedAt + atMs - performance.now()));
    await fixture.kill(kill % 2 === 0 ? 0 : 1);
    onProgress?.(`node ${1 + (kill % 2)} killed, and back`);
  }
  const recorded = await recording;
  await fixture.untilDelivered(isHealthy);
  await deliverAll(fixture);
  return recorded.filter(({ endpoint }) => isHealthy(endpoint));
}

/** More than the attempts of a result and a return. */
const movesMax = 60;

/** Heals the sick endpoints, lets time pass until nothing waits, and replays those that were given up. What is left is a fault. */
async function deliverAll(fixture: NotificationFixture): Promise<void> {
  await fixture.endpoints.set("healthy");
  for (let moves = 0; moves < movesMax; moves += 1) {
    const { waiting = 0, dead = 0 } = await fixture.states();
    if (waiting > 0) await fixture.advance((await fixture.lastDueIn()) + 0.1);
    else if (dead === 0 || (await fixture.replayDead()) === 0) return;
  }
}

/** One partner's endpoint fails until its notifications are given up; then it accepts all of them. */
async function giveUp(fixture: NotificationFixture, count: number): Promise<readonly string[]> {
  await fixture.endpoints.set("failing");
  const endpoint = endpointKinds.indexOf("flapping");
  const transfers = Array.from({ length: count }, (_, transfer) => ({ atMs: 0, endpoint, transfer }));
  const plan = (["00", "04"] as const).flatMap((status) => transfers.map((one) => ({ ...one, status })));
  await fixture.record(plan);
  for (let moves = 0; moves < movesMax && ((await fixture.states())["waiting"] ?? 0) > 0; moves += 1)
    await fixture.advance((await fixture.lastDueIn()) + 0.1);
  const { dead = 0 } = await fixture.states();
  await deliverAll(fixture);
  return dead === plan.length ? [] : [`${dead} of ${plan.length} were given up`];
}

function findUndelivered(states: Readonly<Record<string, number>>, count: number): readonly string[] {
  return states["delivered"] === count && Object.keys(states).length === 1
    ? []
    : [`of ${count} notifications there are ${JSON.stringify(states)}`];
}

function summarize(
  events: readonly RecordedEvent[],
  arrivals: readonly Arrival[],
  rounds: readonly Round[],
  killed: readonly RecordedEvent[],
): Pick<NotificationResult, "summary" | "ratio"> {
  const byId = Map.groupBy(arrivals, ({ externalId }) => externalId);
  const delays = (some: readonly RecordedEvent[]) => delaysOf(some, byId);
  const accepted = arrivals.filter(({ acceptedAt }) => acceptedAt !== undefined);
  const copies = accepted.length - new Set(accepted.map(({ externalId }) => externalId)).size;
  const alone = delays(rounds.flatMap((round) => round.alone));
  const besideSick = delays(rounds.flatMap((round) => round.besideSick));
  const ratios = rounds.map((round) => ratioOf(delays(round.alone), delays(round.besideSick)));
  const ratio = medianOf(ratios);
  const lines = [
    `${events.length} notifications, ${arrivals.length} arrivals, ${copies} copies of accepted ones`,
    ...(ratio === undefined
      ? []
      : [
          `healthy endpoints alone: ${describeDelays(alone)}`,
          `beside the sick: ${describeDelays(besideSick)}`,
          `p99 beside the sick to that alone: ${ratios.map((one) => one.toFixed(2)).join(", ")}; median ${ratio.toFixed(2)}`,
        ]),
    `while nodes were killed: ${describeDelays(delays(killed))}`,
  ];
  return { summary: lines.join("\n  "), ratio };
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function ratioOf(alone: Delays, besideSick: Delays): number {
  return besideSick.p99Ms / alone.p99Ms;
}
