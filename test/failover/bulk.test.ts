/** Goal: no item of a bulk (20) leaves for a rail that only a primary has which is replaced by its standby. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { confirmReplication } from "../../packages/server/src/store/postgres/confirmation/confirm.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { bulkTo, createDispatchFixture, morningOffset, openingBalance } from "../dispatch/dispatch-fixture.ts";
import { startDispatchNode } from "../dispatch/nodes/dispatch-node.ts";
import { createRailJournal } from "../dispatch/rail-journal.ts";
import { endingWaits } from "../support/database/end-waits.ts";
import { startReplicatedServers } from "../support/database/replicated-servers.ts";
import { migrateForServices, roleUrlsOf } from "../support/database/template.ts";
import { mayGoOn } from "../support/run-job.ts";

test("the standby is lost before a bulk is accepted and promoted after: none of its items was carried", async () => {
  await using servers = await startReplicatedServers();
  const { url } = await migrateForServices(servers.primary.url);
  const journal = createRailJournal();
  const before = await createDispatchFixture({ url });
  const payer = await before.openPayer();
  let [opened, skewMs, unconfirmed] = [0, 0, 0];
  const clock = { ...createClock(), real: () => Date.now() + skewMs };
  clock.setOffset(morningOffset());
  const node = await startDispatchNode({
    url,
    clock,
    rails: journal.rails,
    interbankWaitMs: 100,
    events: {
      unconfirmed: (items) => {
        unconfirmed += items;
      },
    },
    open: async () => {
      opened += 1;
      // The bulk is checked on the first connection, and accepted on the second.
      if (opened === 2) await servers.standby.stop();
      const session = await openSession(url, "dispatch");
      if (opened !== 2) await confirmReplication(session);
      return session;
    },
  });
  const conducts = Array.from({ length: 5 }, () => "success");
  await endingWaits(servers.primary.url, async () => {
    const replied = node.call(bulkTo(conducts, { payer, partner: before.partner }));
    while ((await before.look(payer)).bulks.length === 0) await sleep(20);
    for (let runs = 0; runs < 3; runs += 1) await node.dispatcher.sendBulkItems.run(mayGoOn);
    // The caller has waited long enough.
    skewMs = 20_000;
    assert.equal((await replied).case, "generalError");
    await node[Symbol.asyncDispose]();
  });
  assert.equal(unconfirmed, 5, "one claim, though the job ran three times");
  await before[Symbol.asyncDispose]();
  await servers.primary.stop();
  await servers.promote();
  await using after = await createDispatchFixture(roleUrlsOf(servers.standby.url));
  const { bulks, balance } = await after.look(payer);
  assert.deepEqual([bulks.length, balance, journal.entries.size], [0, openingBalance, 0], "bulks, balance, carried");
});
