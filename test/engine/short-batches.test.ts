// Short batches: decided from remembered accounts and written in one round trip, where nothing has changed since.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import { createEngine, type EngineOptions } from "../../packages/server/src/engine/engine.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { kindOf } from "./decide.ts";
import { everyFault, type Fault, faultySession } from "./faulty-session.ts";
import { findFaults } from "./find-faults.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import { accountId, referenceWith, type Transfer, transferCommand } from "./transfers.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
await seedAccounts(client, accounts(80, 1_000n));
after(async () => {
  await client.end();
  await database.drop();
});
afterEach(async () => assert.deepEqual(await findFaults(client), []));

const reference = referenceWith(86_400_000);
let calls = 0;
let accountsUsed = 0;

/** Two accounts that no other test uses. */
function pair(): { readonly from: string; readonly to: string } {
  accountsUsed += 2;
  return { from: String(accountsUsed - 1), to: String(accountsUsed) };
}

const call = (parts: Pick<Transfer, "from" | "to"> & Partial<Transfer>) =>
  transferCommand({ amount: 1n, externalId: `short-${(calls += 1)}`, ...parts });

/** An engine that records the statements it sends, but for those that begin, commit and confirm. */
async function startEngine(
  spoil: (session: Session) => Session = (session) => session,
  options?: EngineOptions["clock"],
) {
  const sent: string[] = [];
  const open = async () => {
    const session = spoil(await openSession(database.url, "short batches"));
    const run: Session["run"] = (statement, values) => {
      sent.push(statement.name);
      return session.run(statement, values);
    };
    return { ...session, run };
  };
  const engine = await createEngine({ open, clock: options ?? createClock(), reference: () => reference });
  return {
    submit: engine.submit,
    /** True: the accounts were locked and loaded since it was asked last; false: all was written in one round trip. */
    loaded: () => sent.splice(0).includes("lock-accounts"),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

const pay = async (
  engine: { submit: Awaited<ReturnType<typeof startEngine>>["submit"] },
  command: ReturnType<typeof call>,
) => kindOf(await engine.submit(command));

async function balanceOf(accountNo: string): Promise<number> {
  const { rows } = await client.query("select balance::int as balance from accounts where account_no = $1", [
    accountNo,
  ]);
  return (rows[0] as { balance: number }).balance;
}

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
    const other = new Client({ connectionString: database.ownerUrl });
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
