// Short batches: decided from remembered accounts and written in one round trip, where nothing has changed since.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { kindOf } from "./decide.ts";
import { findFaults } from "./find-faults.ts";
import { createShortBatchFixture, pay } from "./short-batch-fixture.ts";
import { accountId } from "./transfers.ts";

const fixture = await createShortBatchFixture();
const { client, startEngine, pair, call, balanceOf } = fixture;
after(fixture.end);
afterEach(async () => assert.deepEqual(await findFaults(client), []));

test("the first transfer of two accounts loads them; those behind it take one round trip, alone or eight at once", async () => {
  await using engine = await startEngine();
  const two = pair();
  assert.deepEqual([await pay(engine, call(two)), engine.loaded()], ["effect", true]);
  for (let count = 0; count < 3; count += 1) {
    assert.deepEqual([await pay(engine, call(two)), engine.loaded()], ["effect", false]);
  }
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => engine.submit(call(two))));
  assert.deepEqual([new Set(outcomes.map(kindOf)), engine.loaded()], [new Set(["effect"]), false]);
  assert.deepEqual([await balanceOf(two.from), await balanceOf(two.to)], [988, 1_012]);
});

/** Changes of an account that others commit, of which the version tells nothing. */
const changes: Readonly<Record<string, string>> = {
  "a hold": "update accounts set held = 990 where id = $1",
  "its daily use and terms":
    "update accounts set limit_daily_count = 1, daily_debit_date = 99999, daily_debit_count = 1 where id = $1",
  "its status": "update accounts set status = 'blocked' where id = $1",
};

for (const [what, statement] of Object.entries(changes)) {
  test(`${what} that another session has changed since is seen, and decided on`, async () => {
    await using engine = await startEngine();
    const two = pair();
    await pay(engine, call(two));
    await client.query(statement, [accountId(two.from)]);
    assert.equal((await engine.submit(call({ ...two, amount: 900n }))).kind, "rejection");
    await client.query("update accounts set held = 0, limit_daily_count = null, status = 'active' where id = $1", [
      accountId(two.from),
    ]);
  });
}

test("money that came since is seen", async () => {
  await using engine = await startEngine();
  await using other = await startEngine();
  const two = pair();
  await pay(engine, call({ ...two, amount: 999n }));
  await pay(other, call({ from: two.to, to: two.from, amount: 500n }));
  assert.equal(await pay(engine, call({ ...two, amount: 400n })), "effect");
  assert.equal(await balanceOf(two.from), 101);
});

test("what others have changed is answered, and the second try takes one round trip", async () => {
  await using engine = await startEngine();
  await using other = await startEngine();
  const two = pair();
  await pay(engine, call(two));
  await pay(other, call(two));
  engine.loaded();
  assert.deepEqual([await pay(engine, call(two)), engine.loaded()], ["effect", false]);
});

test("an account that others change all the time is loaded: after two misses in a row it is left alone for a second", async () => {
  let aheadMs = 0;
  const clock = createClock();
  await using engine = await startEngine(undefined, { ...clock, monotonic: () => clock.monotonic() + aheadMs });
  await using other = await startEngine();
  const two = pair();
  await pay(engine, call(two));
  const loads: boolean[] = [];
  const afterOther = async () => {
    await pay(other, call(two));
    engine.loaded();
    await pay(engine, call(two));
    return engine.loaded();
  };
  for (let round = 0; round < 4; round += 1) loads.push(await afterOther());
  aheadMs = 1_001;
  await pay(engine, call(two));
  loads.push(engine.loaded(), await afterOther());
  assert.deepEqual(loads, [false, true, true, true, false, false]);
});

test("a repeat, a number that is taken and a rejected call are answered as ever", async () => {
  await using engine = await startEngine();
  const two = pair();
  const first = call({ ...two, externalId: "short-first", number: "short-number" });
  await pay(engine, first);
  const copy = call({ ...two, externalId: "short-first", number: "short-number" });
  const renumbered = call({ ...two, externalId: "short-second", number: "short-number" });
  const reused = call({ ...two, externalId: "short-first", number: "short-other", amount: 2n });
  assert.deepEqual(
    [await pay(engine, copy), await pay(engine, renumbered), await pay(engine, reused)],
    ["sameCall", "sameNumber", "externalIdTaken"],
  );
  const late = { ...two, externalId: "short-late", sentAt: 1_000_000 };
  assert.equal((await engine.submit(call({ ...late, amount: 1_000_000n }))).kind, "rejection");
  assert.equal((await engine.submit(call({ ...late, sentAt: 999_999, signature: "older" }))).kind, "rejection");
  assert.equal(await balanceOf(two.from), 999);
});

test("a rejection among acceptances is decided on loaded rows, and recorded", async () => {
  await using engine = await startEngine();
  const [two, poor] = [pair(), pair()];
  await pay(engine, call(two));
  await pay(engine, call(poor));
  const rejected = call({ ...poor, amount: 1_000_000n });
  const kinds = (await Promise.all([call(two), rejected].map(engine.submit))).map(kindOf);
  assert.deepEqual([kinds[0], kinds[1] === "effect"], ["effect", false]);
  assert.equal((await client.query("select from rejected_requests where id = $1", [rejected.id])).rowCount, 1);
});

for (const beside of [0, 1]) {
  test(`repeats cost no error, and no memory, with ${beside} calls beside them`, async () => {
    await using engine = await startEngine();
    const [two, others] = [pair(), pair()];
    const parts = { ...two, externalId: `short-again-${beside}`, number: `short-again-${beside}` };
    await pay(engine, call(parts));
    await pay(engine, call(others));
    for (const changed of [{}, { externalId: `short-anew-${beside}` }, { number: `short-anew-${beside}` }]) {
      const sent = [call({ ...parts, ...changed }), ...Array.from({ length: beside }, () => call(others))];
      await Promise.all(sent.map(engine.submit));
      engine.loaded();
      assert.deepEqual([await pay(engine, call(others)), engine.loaded()], ["effect", false]);
    }
    assert.deepEqual(engine.failures, []);
    const { rows } = await client.query("select count(*)::int as keys from request_keys where request_id = any($1)", [
      (await client.query("select id from accepted_requests where external_id like 'short-an%'")).rows.map(
        ({ id }) => id as string,
      ),
    ]);
    assert.deepEqual(rows, [{ keys: 0 }]);
  });
}

test("a call whose time is over at the second try is not accepted", async () => {
  let aheadMs = 0;
  const clock = createClock();
  await using other = await startEngine();
  await using engine = await startEngine(
    (session) => ({
      ...session,
      run: async (statement, values) => {
        const rows = await session.run(statement, values);
        if (statement.name === "write-one-request") aheadMs = 5_000;
        return rows;
      },
    }),
    { ...clock, real: () => clock.real() + aheadMs },
  );
  const two = pair();
  await pay(engine, call(two));
  await pay(other, call(two));
  assert.equal(await pay(engine, call({ ...two, windowEndsAt: Date.now() + 1_000 })), "overloaded");
  assert.equal(await balanceOf(two.from), 998);
});

test("an effect that cannot be written fails by itself", async () => {
  await using engine = await startEngine();
  const two = pair();
  await pay(engine, call(two));
  const { decide, ...rest } = call(two);
  const faulty: typeof rest & { decide: typeof decide } = {
    ...rest,
    decide: (found, context) => {
      const decision = decide(found, context);
      if (decision.kind !== "effect") return decision;
      const notification = { id: "no id", partner: "no id", service: 21, subject: "no id", status: "00" };
      return { kind: "effect", effect: { ...decision.effect, notifications: [notification] } };
    },
  };
  const outcomes = await Promise.all([faulty, call(two)].map(engine.submit));
  assert.deepEqual(outcomes.map(kindOf), ["failed", "effect"]);
});

test("two commands of one external id in one short batch: one effect", async () => {
  await using engine = await startEngine();
  const two = pair();
  await pay(engine, call(two));
  const copies = Array.from({ length: 4 }, () => engine.submit(call({ ...two, externalId: "short-copies" })));
  assert.deepEqual((await Promise.all(copies)).map(kindOf), ["effect", "sameCall", "sameCall", "sameCall"]);
});

for (const beside of [0, 1]) {
  test(`a rejection that was committed before the accounts are locked applies, with ${beside} calls beside it`, async () => {
    await using engine = await startEngine();
    const [two, others] = [pair(), pair()];
    await pay(engine, call(two));
    await pay(engine, call(others));
    // The lock waits, as long as this session wants.
    await client.query(`create function pause_of_test() returns boolean language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return true; end $$`);
    await client.query("create policy paused on accounts using (pause_of_test())");
    await client.query("alter table accounts enable row level security");
    const other = new Client({ connectionString: fixture.ownerUrl });
    await other.connect();
    try {
      await other.query("select pg_advisory_lock(4711)");
      const older = call({
        ...two,
        externalId: `short-overtaken-${beside}`,
        sentAt: 1,
        signature: `short-older-${beside}`,
      });
      const outcome = engine.submit(older);
      const besides = Array.from({ length: beside }, () => engine.submit(call(others)));
      while ((await other.query("select from pg_locks where locktype = 'advisory' and not granted")).rowCount === 0);
      await client.query(
        `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, request_fingerprint,
         signature_key, kind, payload, rejected_at, sent_at)
       select $1, $2, 17, $3, $4, $5, $1, 'insufficientFunds', '{}', now(), to_timestamp(2)`,
        [call(two).id, ...keysOf(older)],
      );
      await other.query("select pg_advisory_unlock(4711)");
      assert.equal((await outcome).kind, "rejection");
      await Promise.all(besides);
    } finally {
      await client.query("alter table accounts disable row level security");
      await client.query("drop policy paused on accounts");
      await client.query("drop function pause_of_test");
      await other.end();
    }
  });
}

function keysOf({ keys }: ReturnType<typeof call>): readonly string[] {
  if (!keys) throw new Error("a transfer has keys");
  return [keys.partner, keys.externalIdKey, keys.partnerReferenceKey, keys.requestFingerprint];
}
