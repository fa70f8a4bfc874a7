// Short batches that fail: each is decided again, once, from loaded rows, and nothing is remembered of what was before.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import { everyFault, type Fault, faultySession } from "./faulty-session.ts";
import { findFaults } from "./find-faults.ts";
import { createShortBatchFixture, pay } from "./short-batch-fixture.ts";

const fixture = await createShortBatchFixture();
const { client, startEngine, pair, call, balanceOf } = fixture;
after(fixture.end);
afterEach(async () => assert.deepEqual(await findFaults(client), []));

test("a commit that fails answers nothing: the transfer is decided again, from loaded rows", async () => {
  await using engine = await startEngine();
  const two = pair();
  await pay(engine, call(two));
  await client.query(`create function fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('failed_once') = 1 then raise exception 'made by the test' using errcode = '40001'; end if;
      return null;
    end $$`);
  await client.query("create sequence failed_once");
  await client.query("grant usage on sequence failed_once to public");
  await client.query(
    "create constraint trigger fails after insert on accepted_requests deferrable initially deferred for each row execute function fail_once()",
  );
  engine.loaded();
  assert.deepEqual([await pay(engine, call(two)), engine.loaded()], ["effect", true]);
  assert.equal(await balanceOf(two.from), 998);
  await client.query("drop trigger fails on accepted_requests");
});

for (const fault of everyFault) {
  test(`${fault}: a short batch is retried, once, from loaded rows`, async () => {
    const faults: Fault[] = [];
    const next = (possible: readonly Fault[]) =>
      faults[0] !== undefined && possible.includes(faults[0]) ? faults.shift() : undefined;
    await using engine = await startEngine((session) => faultySession(session, next));
    const [two, others] = [pair(), pair()];
    await pay(engine, call(others));
    await pay(engine, call(two));
    await pay(engine, call(two));
    engine.loaded();
    faults.push(fault);
    const command = call(two);
    const outcome: Outcome<unknown> = await engine.submit(command);
    assert.deepEqual([outcome.kind, engine.loaded(), faults], ["effect", true, []]);
    assert.equal(outcome.kind === "effect" && outcome.id, command.id);
    assert.equal(await balanceOf(two.from), 997);
    const stillThere = await client.query("select from accepted_requests where id = $1", [command.id]);
    assert.equal(stillThere.rowCount, 1);
    assert.deepEqual([await pay(engine, call(others)), engine.loaded()], ["effect", true], "it has forgotten all");
  });
}

for (const isAlone of [false, true]) {
  test(`all is forgotten after a loaded batch that failed, ${isAlone ? "again" : "for the first time"}`, async () => {
    const faults: Fault[] = [];
    const next = (possible: readonly Fault[]) =>
      faults[0] !== undefined && possible.includes(faults[0]) ? faults.shift() : undefined;
    await using engine = await startEngine((session) => faultySession(session, next));
    const [two, others] = [pair(), pair()];
    await pay(engine, call(others));
    faults.push("conflict", ...(isAlone ? (["conflict"] as const) : []));
    assert.equal(await pay(engine, call(two)), "effect");
    engine.loaded();
    assert.deepEqual([await pay(engine, call(others)), engine.loaded()], ["effect", true]);
  });
}
