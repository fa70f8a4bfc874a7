/**
 * Notifications to twenty endpoints from two nodes. In windows of the same events the healthy twelve are notified alone, then
 * beside the sick eight; then nodes are killed outright under the same load; then some are given up and replayed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../random-numbers.ts";
import { endpointKinds, isHealthy } from "./endpoint-kinds.ts";
import { findFaults } from "./find-faults.ts";
import { type NotificationFixture, startNotificationFixture } from "./fixture.ts";
import { type PlannedEvent, planEvents } from "./plan-events.ts";
import type { RecordedEvent } from "./record-events.ts";
import { type NotificationResult, type Round, summarize, type Window, type Windows } from "./summarize.ts";

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
  /** A round in which others took a larger share of the machine (from 0 to 1) is left out. */
  readonly othersMost: number;
  onProgress?(text: string): void;
}

export async function runNotifications(options: NotificationOptions): Promise<NotificationResult> {
  await using fixture = await startNotificationFixture();
  const random = randomNumbers(options.seed);
  const faults: string[] = [];
  const measured = await compareRounds(fixture, options, random);
  if (options.rounds > 0 && !measured.some(({ isQuiet }) => isQuiet))
    faults.push("others took too much of the machine in every round");
  const killed = await killNodes(fixture, options, random);
  faults.push(...(await giveUp(fixture, options.givenUp)));
  const [states, attempts] = [await fixture.states(), await fixture.attempts()];
  faults.push(...(await fixture.end()), ...fixture.endpoints.faults());
  const arrivals = await fixture.endpoints.arrivals();
  faults.push(...findFaults(fixture.events, arrivals, attempts), ...findUndelivered(states, fixture.events.length));
  return { faults, ...summarize(fixture.events, arrivals, measured, killed) };
}

const warmUpSeconds = 5;
/** Rounds in all, for each that is to count. */
const triesMost = 2;

/** The choice of the rounds that count goes by what others took of the machine alone, never by what was measured. */
async function compareRounds(
  fixture: NotificationFixture,
  { rounds, perRound, rate, othersMost, onProgress }: NotificationOptions,
  random: () => number,
): Promise<readonly Round[]> {
  const all: Round[] = [];
  const quiet = () => all.filter(({ isQuiet }) => isQuiet).length;
  if (rounds > 0) await notify(fixture, planEvents({ count: rate * warmUpSeconds, rate, random }));
  while (quiet() < rounds && all.length < triesMost * rounds) {
    const windows = await compare(fixture, planEvents({ count: perRound, rate, random }), all.length % 2 === 1);
    const othersShare = Math.max(windows.alone.othersShare, windows.besideSick.othersShare);
    all.push({ ...windows, othersShare, isQuiet: othersShare <= othersMost });
    onProgress?.(`${all.length} rounds, ${quiet()} of ${rounds} quiet; ${fixture.events.length} notifications`);
  }
  return all;
}

/** Records the plan's events; ends when those of healthy endpoints are delivered. */
async function notify(fixture: NotificationFixture, plan: readonly PlannedEvent[]): Promise<Window> {
  const othersShare = fixture.watchOthers();
  const recorded = await fixture.record(plan);
  await fixture.untilDelivered(isHealthy);
  return { events: recorded.filter(({ endpoint }) => isHealthy(endpoint)), othersShare: othersShare() };
}

async function notifyBesideSick(fixture: NotificationFixture, plan: readonly PlannedEvent[]): Promise<Window> {
  await fixture.endpoints.set("sick");
  const window = await notify(fixture, plan);
  await deliverAll(fixture);
  return window;
}

/** The same plan without and with the sick endpoints, in turn the one first and the other. */
async function compare(
  fixture: NotificationFixture,
  plan: readonly PlannedEvent[],
  isSickFirst: boolean,
): Promise<Windows> {
  const early = isSickFirst ? await notifyBesideSick(fixture, plan) : undefined;
  const alone = await notify(
    fixture,
    plan.filter(({ endpoint }) => isHealthy(endpoint)),
  );
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
