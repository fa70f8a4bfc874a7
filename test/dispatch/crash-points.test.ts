// A node that serves a transfer over a rail is killed outright at one moment after the other, in a process of its own;
// another takes over. The rails are on this side: they know what they carried, whichever node died. Most conducts of a rail are
// met at each moment by 18, 22 or 23; `npm run torture -- dispatch` has all of them at all moments, and each after each other.
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit.ts";
import { crashPoints } from "./nodes/crash-points.ts";
import { type Cell, findUnguarded, isCrashPoint, killAtMoments } from "./matrix.ts";
import type { Moment } from "./nodes/node-messages.ts";
import { type ConductName, conductNames } from "./rail-journal.ts";
import { createPlanRunner } from "./run-plans.ts";
import { createDispatchFixture } from "./dispatch-fixture.ts";

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

const is = (wanted: Moment) => (moment: Moment) => moment === wanted;

const diedAt = new Set<Moment>();

async function kill(cell: Cell, choose: (moment: Moment, at: number) => boolean, also?: typeof choose) {
  const one = free.pop() ?? assert.fail("more at once than thought");
  try {
    const { deaths, faults, missed, moments } = await killAtMoments(one.runner, cell, choose, also);
    assert.deepEqual([...faults, ...missed], []);
    assert.deepEqual(findUnguarded(moments), []);
    for (const death of deaths) diedAt.add(death);
  } finally {
    free.push(one);
  }
}

/** What differs from another conduct little dies at every second moment, or only in the long form. */
const variants: readonly ConductName[] = ["batchRejected", "silentRejected", "slow"];
const longFormOnly: readonly ConductName[] = [
  "slowRejected",
  "silentRejectedReported",
  "batchReturned",
  "silentReturned",
  "lostThenDown",
];

suite("killed at every moment", { concurrency: atOnce }, () => {
  for (const [index, conduct] of conductNames.entries()) {
    if (longFormOnly.includes(conduct)) continue;
    const isTurn = (parity: number) => (moment: Moment, at: number) =>
      isCrashPoint(moment) && ((at + index) % 2 === parity || moment === "answered");
    test(`${conduct}: however far it was, 18 ends once, as the rail has it`, async () => {
      await kill({ name: "interbankTransfer", conduct }, isTurn(0));
    });
    // At the moments in between: who waits for the end and who is answered makes no difference to the rest.
    const name = index % 2 === 0 ? "rtgsTransfer" : "sknTransfer";
    if (variants.includes(conduct)) continue;
    test(`${conduct}: however far it was, ${name} ends once, as the rail has it`, async () => {
      await kill({ name, conduct }, isTurn(1));
    });
  }

  const onItsWay = [
    ["success", "commitSent"],
    ["success", "submitCalled"],
    ["batch", "acknowledgeCalled"],
  ] as const;
  for (const [conduct, wanted] of onItsWay) {
    test(`${conduct}: dead at ${wanted}, unanswered, 18 ends once, as the rail has it`, async () => {
      await kill({ name: "interbankTransfer", conduct }, is(wanted));
    });
  }

  test("the node that takes over dies as well, and the next goes on", async () => {
    const also = ["claimed", "submissionRecorded", "resubmitted"];
    await kill({ name: "rtgsTransfer", conduct: "down" }, is("accepted"), (moment) => also.includes(moment));
  });
});

test("every crash point was died at, and so were commits and calls on their way", () => {
  const wanted = [...crashPoints, "commitSent", "submitCalled", "acknowledgeCalled"] as const;
  assert.deepEqual(
    wanted.filter((point) => !diedAt.has(point)),
    [],
  );
});

test("the audit finds nothing", async () => {
  for (const { fixture } of all) assert.deepEqual(await runAudit(fixture.url), { ok: true, findings: [] });
});
