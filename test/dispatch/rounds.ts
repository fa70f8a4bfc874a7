/** Two nodes compete under load, and are killed, stopped and cut off from their rails; every transfer ends once. */
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import type { TortureResult } from "../torture/result.ts";
import { randomNumbers } from "../torture/random-numbers.ts";
import { findFaultsOf, type Intent } from "./check-ends.ts";
import { carryOut, countReplies } from "./intents.ts";
import { createTwoNodes, type TwoNodes } from "./nodes/two-nodes.ts";
import { createRailJournal, type RailJournal } from "./rail-journal.ts";
import type { DispatchFixture } from "./dispatch-fixture.ts";
import { createNetworkFaults, type NetworkState, networkStates } from "./network-faults.ts";

export interface RoundsOptions {
  readonly fixture: DispatchFixture;
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
  const { fixture, rounds, transfers, onProgress } = options;
  const random = randomNumbers(options.seed);
  const journal = createRailJournal();
  const network = createNetworkFaults(journal.rails, random);
  await using nodes = await createTwoNodes(fixture.url, network.rails, random);
  const intents: Intent[] = [];
  const goesOn = setInterval(() => {
    journal.answerLate();
    journal.proceed();
    // Now and then so far that what has only just been accepted is looked after by the other node, too.
    nodes.advance(random() < 0.3 ? stepMs : stepMs / 10);
  }, 100);
  const callers = { partner: fixture.partner, random, call: nodes.call };
  for (let round = 1; round <= rounds; round += 1) {
    const payers = await carryOutAll(Array.from({ length: transfers }), callersAtOnce, () => fixture.openPayer());
    const load = carryOutAll(payers, callersAtOnce, (payer) => carryOut(payer, callers));
    const change = (kind: NetworkState) => network.set(pick(railNames, random), kind);
    const what = await harm(nodes, round, random, change, options.crash);
    intents.push(...(await load));
    onProgress?.(`round ${round} of ${rounds}: ${what}, ${intents.length} transfers`);
  }
  for (const name of railNames) network.set(name, "fair");
  const open = await untilEnded(fixture, journal, nodes);
  clearInterval(goesOn);
  const faults = [
    ...open,
    ...nodes.warnings(),
    ...(await findFaults(fixture, journal, intents)),
    ...(await nodes.close()),
  ];
  return { faults, summary: await summaryOf(fixture, journal, nodes, intents) };
}

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)] as Value;

/** The harm of a round, each kind in its turn; it is over when all nodes serve again. */
async function harm(
  nodes: TwoNodes,
  round: number,
  random: () => number,
  change: (kind: NetworkState) => void,
  crash: RoundsOptions["crash"],
): Promise<string> {
  const harms = [
    ["killed one", nodes.killOne],
    ["stopped one", nodes.stopOne],
    ["killed both", nodes.killBoth],
    ["closed one", nodes.closeOne],
    ...(crash ? [["killed PostgreSQL", crash] as const] : []),
  ] as const;
  const [name, work] = harms[(round - 1) % harms.length] ?? harms[0];
  change(pick(networkStates, random));
  await sleep(random() * 200);
  await work();
  change(pick(networkStates, random));
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

async function untilEnded(fixture: DispatchFixture, journal: RailJournal, nodes: TwoNodes): Promise<readonly string[]> {
  for (let leftMs = endsWithinMs; leftMs > 0; leftMs -= 50) {
    if ((await fixture.countOpen()) === 0 && !journal.isBusy()) return [];
    nodes.advance(stepMs);
    await sleep(50);
  }
  return [
    `${await fixture.countOpen()} transfers do not end${journal.isBusy() ? ", and the rails have uncollected ones" : ""}`,
  ];
}

async function findFaults(
  fixture: DispatchFixture,
  journal: RailJournal,
  intents: readonly Intent[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const intent of intents) {
    faults.push(...findFaultsOf(intent, await fixture.look(intent.payer), journal));
  }
  if ((await fixture.inSuspense()) !== 0n) faults.push("something is left in suspense");
  const { findings } = await runAudit(fixture.url);
  faults.push(...findings.map(({ check, subject, expected, found }) => `${check} ${subject}: ${expected} / ${found}`));
  return faults;
}

async function summaryOf(
  { query }: DispatchFixture,
  journal: RailJournal,
  nodes: TwoNodes,
  intents: readonly Intent[],
) {
  const states = await query("select state, count(*)::text as count from transfers group by state order by state");
  const ends = states.map(({ state, count }) => `${count} ${state}`).join(", ");
  const twice = [...journal.entries.values()].filter(({ arrivals }) => arrivals > 1).length;
  return `${intents.length} intents; ${nodes.summary()}; transfers: ${ends}; ${twice} arrived more than once at their rail; replies: ${countReplies(intents)}`;
}
