/** Runs one transfer after the other, with the node that serves it killed where a plan says; another takes over. */
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { latestStatusOf } from "./check-bulks.ts";
import { findFaultsOf, statusOf } from "./check-ends.ts";
import type { NodeOperation } from "./nodes/dispatch-node.ts";
import { createNodeLine, type NodeLine, type Passed } from "./nodes/node-line.ts";
import { type ConductName, createRailJournal, type RailJournal } from "./rail-journal.ts";
import { bulkTo, callTo, type DispatchFixture, morningOffset } from "./dispatch-fixture.ts";

export interface Plan {
  readonly name: NodeOperation;
  /** Conduct of a bulk has one of each item. */
  readonly conduct: ConductName | readonly ConductName[];
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

export async function createPlanRunner(fixture: DispatchFixture): Promise<PlanRunner> {
  const journal = createRailJournal();
  const line = await createNodeLine(fixture.url, journal.rails);
  const cluster = { fixture, journal, line };
  return {
    run: (plan) => run(cluster, plan),
    [Symbol.asyncDispose]: () => line[Symbol.asyncDispose](),
  };
}

interface Cluster {
  readonly fixture: DispatchFixture;
  readonly journal: RailJournal;
  readonly line: NodeLine;
}

async function run({ fixture, journal, line }: Cluster, { name, conduct, kills }: Plan): Promise<Ran> {
  const untilEnded = endingIn({ fixture, journal, line });
  const payer = await fixture.openPayer();
  const from = { payer, partner: fixture.partner };
  const call = typeof conduct === "string" ? callTo(name, conduct, from) : bulkTo(conduct, from);
  line.setOffset(morningOffset());
  line.begin(kills);
  const first = await line.call(call);
  await untilEnded();
  const passed = line.end();
  const before = await fixture.look(payer);
  const second = await line.call(call);
  await untilEnded();
  const rows = await fixture.look(payer);
  const faults = [...findFaultsOf({ payer, replies: [first, second] }, rows, journal)];
  const kept = before.bulks[0] ?? before.transfers[0];
  const changed = kept && asText(rows) !== asText(before) ? ["asking again changed something"] : [];
  const wrong = kept && statusIn(second) !== statusOf(kept) ? [`asked again, it was answered ${statusIn(second)}`] : [];
  // The next node inquires before it submits.
  const twice = journal.entriesOf(payer).filter(({ arrivals }) => arrivals > 1);
  if (twice.length > 0) faults.push("it was submitted although the rail had it");
  const left = (await fixture.inSuspense()) === 0n ? [] : ["something is left in suspense"];
  return { ...passed, faults: [...faults, ...changed, ...wrong, ...left] };
}

/** Time passes and the rails go on until everything has ended. */
function endingIn({ fixture, journal, line }: Cluster): () => Promise<void> {
  return async () => {
    for (let step = 0; step < stepsMost; step += 1) {
      journal.answerLate();
      if (!(await line.look())) continue;
      if ((await fixture.countOpen()) === 0 && !journal.isBusy()) return;
      line.setOffset(morningOffset() + (step + 1) * stepMs);
      journal.proceed();
    }
    throw new Error("something does not end");
  };
}

const statusIn = (reply: Reply | undefined) => (reply?.case === "conflict" ? latestStatusOf(reply) : reply?.case);

const asText = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));
