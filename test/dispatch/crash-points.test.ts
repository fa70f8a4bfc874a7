// A node that serves a transfer over a rail is killed outright at one moment after the other, in a process of its own;
// another takes over. The rails are on this side: they know what they carried, whichever node died. Most conducts of a rail are
// met by 18, 20, 22 or 23, each at a sixteenth of its moments, which the seed draws; each kind of moment is met at least once.
// `npm run torture -- dispatch` has all conducts at all moments.
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { crashPoints } from "./nodes/crash-points.ts";
import { type Cell, findUnguarded, isCrashPoint, killAtMoments } from "./matrix.ts";
import type { Moment } from "./nodes/node-messages.ts";
import { type ConductName, conductNames } from "./rail-journal.ts";
import { createPlanRunner, type PlanRunner } from "./run-plans.ts";
import { createDispatchFixture } from "./dispatch-fixture.ts";
import { randomNumbers } from "../torture/random-numbers.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

/** Part of a cell's moments. */
const share = 1 / 16;
const atOnce = 2;

async function start() {
  const fixture = await createDispatchFixture();
  return { fixture, runner: await createPlanRunner(fixture) };
}

const all = await Promise.all(Array.from({ length: atOnce }, start));
const free = [...all];
after(async () => {
  await Promise.all(all.map(({ runner }) => runner[Symbol.asyncDispose]()));
  await Promise.all(all.map(({ fixture }) => fixture[Symbol.asyncDispose]()));
});

/** The first moment of the kind. */
function first(wanted: Moment) {
  let isMet = false;
  return (moment: Moment) => {
    if (isMet || moment !== wanted) return false;
    isMet = true;
    return true;
  };
}

let draws = 0;
/** Each cell draws by itself: they run two at once. */
function drawn() {
  draws += 1;
  const random = randomNumbers(seed + draws * 1_000_003);
  return (moment: Moment) => isCrashPoint(moment) && random() < share;
}

const diedAt = new Set<Moment>();
const passedBy = new Map<Moment, Cell>();

async function withRunner(work: (runner: PlanRunner) => Promise<void>) {
  const one = free.pop() ?? assert.fail("more at once than thought");
  try {
    await work(one.runner);
  } finally {
    free.push(one);
  }
}

async function kill(cell: Cell, choose: (moment: Moment, at: number) => boolean, also?: typeof choose) {
  await withRunner(async (runner) => {
    const { deaths, faults, missed, moments } = await killAtMoments(runner, cell, choose, also);
    assert.deepEqual([...faults, ...missed], []);
    assert.deepEqual(findUnguarded(moments), []);
    for (const death of deaths) diedAt.add(death);
    for (const moment of moments) passedBy.set(moment, cell);
  });
}

/** Conducts that differ little from another are met by one operation, or only in the long form. */
const variants: readonly ConductName[] = ["batchRejected", "silentRejected", "slow"];
const longFormOnly: readonly ConductName[] = [
  "slowRejected",
  "silentRejectedReported",
  "batchReturned",
  "silentReturned",
  "lostThenDown",
];

suite("killed at moments that the seed draws", { concurrency: atOnce }, () => {
  for (const [index, conduct] of conductNames.entries()) {
    if (longFormOnly.includes(conduct)) continue;
    const choose = drawn();
    test(`${conduct}: however far it was, 18 ends once, as the rail has it`, async () => {
      await kill({ name: "interbankTransfer", conduct }, choose);
    });
    // The operation, of those whose caller does not wait for the end, makes no difference to the rest.
    const name = index % 2 === 0 ? "rtgsTransfer" : "sknTransfer";
    if (variants.includes(conduct)) continue;
    const chooseOther = drawn();
    test(`${conduct}: however far it was, ${name} ends once, as the rail has it`, async () => {
      await kill({ name, conduct }, chooseOther);
    });
  }

  for (const conduct of ["success", "lost"] as const) {
    const choose = drawn();
    test(`${conduct}: however far it was, an item ends once, as the rail has it, and with it its bulk (20)`, async () => {
      await kill({ name: "interbankBulkTransfer", conduct }, choose);
    });
  }

  test("a bulk with items of every conduct, nodes killed in the middle: each item ends once, as the rail has it", async () => {
    await withRunner(async (runner) => {
      const conduct = conductNames.filter((name) => !name.startsWith("slow")).flatMap((name) => [name, name, name]);
      const { faults, deaths } = await runner.run({ name: "interbankBulkTransfer", conduct, kills: [20, 40, 60] });
      assert.deepEqual([faults, deaths.length], [[], 3]);
    });
  });

  const onItsWay = [
    ["success", "commitSent"],
    ["success", "submitCalled"],
    ["batch", "acknowledgeCalled"],
  ] as const;
  for (const [conduct, wanted] of onItsWay) {
    test(`${conduct}: dead at ${wanted}, unanswered, 18 ends once, as the rail has it`, async () => {
      await kill({ name: "interbankTransfer", conduct }, first(wanted));
    });
  }

  test("the node that takes over dies as well, and the next goes on", async () => {
    const also = ["claimed", "submissionRecorded", "resubmitted"];
    await kill({ name: "rtgsTransfer", conduct: "down" }, first("accepted"), (moment) => also.includes(moment));
  });
});

test("every crash point was died at, and so were commits and calls on their way", async () => {
  const wanted = [...crashPoints, "commitSent", "submitCalled", "acknowledgeCalled"] as const;
  // Crash points that the seed has not drawn come last.
  for (const point of wanted.filter((one) => !diedAt.has(one))) {
    await kill(passedBy.get(point) ?? assert.fail(`no transfer passes ${point}`), first(point));
  }
  assert.deepEqual(
    wanted.filter((point) => !diedAt.has(point)),
    [],
  );
});

test("the audit finds nothing", async () => {
  for (const { fixture } of all) assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
});
