/** Runs one transfer after the other, with the node that serves it killed where a plan says; another takes over. */
import type { Reply } from "../../packages/server/src/call.ts";
import type { RailOperation } from "../../packages/server/src/operations/transfers/rail-transfer.ts";
import { findFaultsOf, latestStatusOf, statusOf } from "./check-ends.ts";
import { createNodeLine, type NodeLine, type Passed } from "./nodes/node-line.ts";
import { type ConductName, createRailBook, type RailBook } from "./rail-journal.ts";
import { callTo, type DispatchScene, morningOffset } from "./dispatch-fixture.ts";

export interface Plan {
  readonly name: RailOperation;
  readonly conduct: ConductName;
  /** At which moment, counted from 1, the first node dies, then the one that took over, and so on. */
  readonly kills: readonly number[];
}

export interface Ran extends Passed {
  readonly faults: readonly string[];
}

export interface PlanRunner extends AsyncDisposable {
  run(plan: Plan): Promise<Ran>;
}

/** Longer than any pause before a rail is asked again. */
const stepMs = 20 * 60_000;
const stepsMost = 30;

export async function createPlanRunner(scene: DispatchScene): Promise<PlanRunner> {
  const book = createRailBook();
  const line = await createNodeLine(scene.url, book.rails);
  const stage = { scene, book, line };
  return {
    run: (plan) => run(stage, plan),
    [Symbol.asyncDispose]: () => line[Symbol.asyncDispose](),
  };
}

interface Stage {
  readonly scene: DispatchScene;
  readonly book: RailBook;
  readonly line: NodeLine;
}

async function run({ scene, book, line }: Stage, { name, conduct, kills }: Plan): Promise<Ran> {
  const untilEnded = endingIn({ scene, book, line });
  const payer = await scene.openPayer();
  const call = callTo(name, conduct, { payer, partner: scene.partner });
  line.setOffset(morningOffset());
  line.begin(kills);
  const first = await line.call(call);
  await untilEnded();
  const passed = line.end();
  const before = await scene.look(payer);
  const second = await line.call(call);
  await untilEnded();
  const rows = await scene.look(payer);
  const faults = [...findFaultsOf({ payer, replies: [first, second] }, rows, book)];
  const kept = before.transfers[0];
  const changed = kept && asText(rows) !== asText(before) ? ["asking again changed something"] : [];
  const wrong = kept && toldOf(second) !== statusOf(kept) ? [`asked again, it was told ${toldOf(second)}`] : [];
  // Whoever takes over asks before it hands over.
  const twice = book.pagesOf(payer).filter(({ arrivals }) => arrivals > 1);
  if (twice.length > 0) faults.push("it was handed over although the rail had it");
  const left = (await scene.inSuspense()) === 0n ? [] : ["something is left in suspense"];
  return { ...passed, faults: [...faults, ...changed, ...wrong, ...left] };
}

/** Time passes and the rails go on until everything has ended. */
function endingIn({ scene, book, line }: Stage): () => Promise<void> {
  return async () => {
    for (let step = 0; step < stepsMost; step += 1) {
      book.answerLate();
      if (!(await line.look())) continue;
      if ((await scene.countOpen()) === 0 && !book.isBusy()) return;
      line.setOffset(morningOffset() + (step + 1) * stepMs);
      book.proceed();
    }
    throw new Error("something does not end");
  };
}

const toldOf = (reply: Reply | undefined) => (reply?.case === "conflict" ? latestStatusOf(reply) : reply?.case);

const asText = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));
