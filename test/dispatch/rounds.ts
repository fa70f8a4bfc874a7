/** Two nodes compete under load, and are killed, stopped and cut off from their rails; every transfer ends once. */
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import type { TortureResult } from "../torture/result.ts";
import { randomNumbers } from "../torture/random-numbers.ts";
import { findFaultsOf, type Intent } from "./check-ends.ts";
import { carryOut, countReplies } from "./intents.ts";
import { createPair, type Pair } from "./nodes/two-nodes.ts";
import { createRailBook, type RailBook } from "./rail-journal.ts";
import type { DispatchScene } from "./dispatch-fixture.ts";
import { createWeather, type WeatherKind, weatherKinds } from "./network-faults.ts";

export interface RoundsOptions {
  readonly scene: DispatchScene;
  readonly rounds: number;
  /** Transfers a round. */
  readonly transfers: number;
  readonly seed: number;
  /** Kills the database as well, and waits until it is back. */
  readonly crash?: () => Promise<void>;
  onProgress?(text: string): void;
}

const railNames: readonly RailName[] = ["interbank", "rtgs", "skn"];
const callersAtOnce = 24;
/** Longer than what is accepted may wait for its node (ms). */
const stepMs = 15_000;
const endsWithinMs = 120_000;

export async function dispatchRounds(options: RoundsOptions): Promise<TortureResult> {
  const { scene, rounds, transfers, onProgress } = options;
  const random = randomNumbers(options.seed);
  const book = createRailBook();
  const weather = createWeather(book.rails, random);
  await using pair = await createPair(scene.url, weather.rails, random);
  const intents: Intent[] = [];
  const goesOn = setInterval(() => {
    book.answerLate();
    book.proceed();
    // Now and then so far that what has only just been accepted is looked after by the other node, too.
    pair.advance(random() < 0.3 ? stepMs : stepMs / 10);
  }, 100);
  const callers = { partner: scene.partner, random, call: pair.call };
  for (let round = 1; round <= rounds; round += 1) {
    const payers = await carryOutAll(Array.from({ length: transfers }), callersAtOnce, scene.openPayer);
    const load = carryOutAll(payers, callersAtOnce, (payer) => carryOut(payer, callers));
    const change = (kind: WeatherKind) => weather.set(pick(railNames, random), kind);
    const what = await harm(pair, round, random, change, options.crash);
    intents.push(...(await load));
    onProgress?.(`round ${round} of ${rounds}: ${what}, ${intents.length} transfers`);
  }
  for (const name of railNames) weather.set(name, "fair");
  const open = await untilEnded(scene, book, pair);
  clearInterval(goesOn);
  const faults = [...open, ...pair.warnings(), ...(await findFaults(scene, book, intents)), ...(await pair.close())];
  return { faults, summary: await summaryOf(scene, book, pair, intents) };
}

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)] as Value;

/** The harm of a round, each kind in its turn; it is over when all nodes serve again. */
async function harm(
  pair: Pair,
  round: number,
  random: () => number,
  change: (kind: WeatherKind) => void,
  crash: RoundsOptions["crash"],
): Promise<string> {
  const harms = [
    ["killed one", pair.killOne],
    ["stopped one", pair.stopOne],
    ["killed both", pair.killBoth],
    ["closed one", pair.closeOne],
    ...(crash ? [["killed PostgreSQL", crash] as const] : []),
  ] as const;
  const [name, work] = harms[(round - 1) % harms.length] ?? harms[0];
  change(pick(weatherKinds, random));
  await sleep(random() * 200);
  await work();
  change(pick(weatherKinds, random));
  await sleep(random() * 200);
  change("fair");
  return name;
}

async function carryOutAll<Value, Result>(
  values: readonly Value[],
  atOnce: number,
  work: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const left = values.values();
  const results: Result[] = [];
  const one = async () => {
    // Each takes the next from the same line.
    for (const value of left) results.push(await work(value));
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return results;
}

async function untilEnded(scene: DispatchScene, book: RailBook, pair: Pair): Promise<readonly string[]> {
  for (let leftMs = endsWithinMs; leftMs > 0; leftMs -= 50) {
    if ((await scene.countOpen()) === 0 && !book.isBusy()) return [];
    pair.advance(stepMs);
    await sleep(50);
  }
  return [`${await scene.countOpen()} transfers do not end${book.isBusy() ? ", and the rails have untold ones" : ""}`];
}

async function findFaults(scene: DispatchScene, book: RailBook, intents: readonly Intent[]): Promise<string[]> {
  const faults: string[] = [];
  for (const intent of intents) {
    faults.push(...findFaultsOf(intent, await scene.look(intent.payer), book));
  }
  if ((await scene.inSuspense()) !== 0n) faults.push("something is left in suspense");
  const { findings } = await runAudit(scene.url);
  faults.push(...findings.map(({ check, subject, expected, found }) => `${check} ${subject}: ${expected} / ${found}`));
  return faults;
}

async function summaryOf({ query }: DispatchScene, book: RailBook, pair: Pair, intents: readonly Intent[]) {
  const states = await query("select state, count(*)::text as count from transfers group by state order by state");
  const ends = states.map(({ state, count }) => `${count} ${state}`).join(", ");
  const twice = [...book.pages.values()].filter(({ arrivals }) => arrivals > 1).length;
  return `${intents.length} intents; ${pair.told()}; transfers: ${ends}; ${twice} arrived more than once at their rail; replies: ${countReplies(intents)}`;
}
