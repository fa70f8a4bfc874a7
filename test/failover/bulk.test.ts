/** Goal: no item of a bulk (20) leaves for a rail that only a primary has which is replaced by its standby. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { bulkTo, createDispatchFixture, morningOffset, openingBalance } from "../dispatch/dispatch-fixture.ts";
import { startDispatchNode } from "../dispatch/nodes/dispatch-node.ts";
import { createRailJournal } from "../dispatch/rail-journal.ts";
import { eventually } from "../support/black-box/answers.ts";
import { endingWaits } from "../support/database/end-waits.ts";
import { startReplicatedServers } from "../support/database/replicated-servers.ts";
import { migrateForServices, roleUrlsOf } from "../support/database/template.ts";
import { mayGoOn } from "../support/run-job.ts";
import { openConfirmed } from "./promoted-node.ts";

/** A clock that goes slowly, so that a slow machine accepts the bulk in the time of its call; the call's time ends when it is moved. */
function createSlowClock() {
  const [start, slowness] = [Date.now(), 10];
  let movedMs = 0;
  const clock = { ...createClock(), real: () => start + Math.floor((Date.now() - start) / slowness) + movedMs };
  clock.setOffset(morningOffset());
  return { clock, move: (ms: number) => (movedMs += ms) };
}

test("the standby is lost before a bulk is accepted and promoted after: none of its items was carried", async () => {
  await using servers = await startReplicatedServers();
  const { url } = await migrateForServices(servers.primary.url);
  const journal = createRailJournal();
  const before = await createDispatchFixture({ url });
  const payer = await before.openPayer();
  const { clock, move } = createSlowClock();
  let [isChecked, unconfirmed] = [false, 0];
  await endingWaits(servers, async () => {
    await using node = await startDispatchNode({
      url,
      clock,
      rails: journal.rails,
      interbankWaitMs: 100,
      events: {
        unconfirmed: (items) => {
          unconfirmed += items;
        },
      },
      reached: (point) => {
        isChecked ||= point === "checked";
      },
      open: async () => {
        const session = await openConfirmed(url, "dispatch");
        // It is accepted on a connection that is opened once it was checked on another.
        if (isChecked) await servers.standby.stop();
        return session;
      },
    });
    const conducts = Array.from({ length: 5 }, () => "success");
    const replied = node.call(bulkTo(conducts, { payer, partner: before.partner }));
    await Promise.race([
      eventually(async () => (await before.look(payer)).bulks.length > 0, 20),
      replied.then((reply) => assert.fail(`answered ${reply.case} before its caller had waited long enough`)),
    ]);
    for (let runs = 0; runs < 3; runs += 1) await node.dispatcher.sendBulkItems.run(mayGoOn);
    // The caller has waited long enough.
    move(20_000);
    assert.equal((await replied).case, "generalError");
  });
  assert.equal(unconfirmed, 5, "one claim, though the job ran three times");
  await before[Symbol.asyncDispose]();
  await servers.primary.stop();
  await servers.promote();
  await using after = await createDispatchFixture(roleUrlsOf(servers.standby.url));
  const { bulks, balance } = await after.look(payer);
  assert.deepEqual([bulks.length, balance, journal.entries.size], [0, openingBalance, 0], "bulks, balance, carried");
});
