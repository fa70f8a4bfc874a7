// Two nodes compete for every transfer: at first in this process, both looking at the same moment; then as processes that
// are killed, stopped and cut off from their rails under load.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { conductNames } from "./rail-journal.ts";
import { dispatchRounds } from "./rounds.ts";
import { createDispatchFixture } from "./dispatch-fixture.ts";
import { createCluster } from "./dispatch-cluster.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const names = ["interbankTransfer", "rtgsTransfer", "sknTransfer"] as const;

test("both reconcile the same transfers at the same moment: each ends once, as its rail has it", async () => {
  await using cluster = await createCluster({ nodes: 2 });
  const cells = names.flatMap((name) =>
    conductNames.flatMap((conduct) => [
      { name, conduct },
      { name, conduct },
    ]),
  );
  const asked = await Promise.all(cells.map(({ name, conduct }) => cluster.ask(name, conduct)));
  await cluster.untilEnded();
  assert.deepEqual(await cluster.findFaults(asked), []);
  for (const one of asked) await cluster.askAgain(one);
  await cluster.untilEnded();
  assert.deepEqual(await cluster.findFaults(asked), []);
  assert.deepEqual(
    cluster.events.filter((event) => !event.startsWith("silent")),
    [],
  );
  assert.deepEqual(await runAudit(cluster.fixture.url), { ok: true, findings: [] });
});

test("an operator's word and the rail's, at the same moment and the same: one of them ends it", async () => {
  await using cluster = await createCluster({ nodes: 2 });
  const cells = names.flatMap((name) => Array.from({ length: 8 }, () => name));
  const asked = await Promise.all(cells.map((name) => cluster.ask(name, "silent")));
  cluster.advance(60_000);
  const decisions = asked.flatMap((one) => [cluster.decide(one, "settled"), cluster.decide(one, "settled")]);
  await Promise.all([cluster.look(), ...decisions]);
  assert.equal(await cluster.fixture.countOpen(), 0);
  assert.deepEqual(await cluster.findFaults(asked), []);
  assert.deepEqual(
    cluster.events.filter((event) => !event.startsWith("silent")),
    [],
  );
  assert.deepEqual(await runAudit(cluster.fixture.url), { ok: true, findings: [] });
});

test("killed, stopped, closed and cut off under load: each ends once, as its rail has it", async () => {
  await using fixture = await createDispatchFixture();
  const { faults, summary } = await dispatchRounds({ fixture, rounds: 4, transfers: 60, seed });
  console.log(summary);
  assert.deepEqual(faults, []);
});
