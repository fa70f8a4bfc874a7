// One engine and a real database, with every fault between them: every command gets one response, and it is true.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import type { Command, Outcome } from "../../packages/server/src/engine/command.ts";
import { noEvents } from "../../packages/server/src/engine/batch/events.ts";
import { createEngine, type Engine, type EngineOptions } from "../../packages/server/src/engine/engine.ts";
import { openSession, type Session, type Statement } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { randomNumbers } from "../torture/random-numbers.ts";
import { everyFault, type Fault, faultySession } from "./faulty-session.ts";
import { findFaults } from "./find-faults.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import { referenceWith, type Transfer, transferCommand } from "./transfers.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
await seedAccounts(client, accounts(40, 1_000_000n));

after(async () => {
  await client.end();
  await database.drop();
});

afterEach(async () => assert.deepEqual(await findFaults(client), []));

interface TestEngine extends AsyncDisposable {
  readonly engine: Engine;
  /** Classes of the failures so far. */
  readonly failures: Set<string>;
}

const name = "recovery test";
const open = () => openSession(database.url, name);

async function startEngine(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const failures = new Set<string>();
  const reference = referenceWith(86_400_000);
  const engine = await createEngine({
    open,
    clock: createClock(),
    reference: () => reference,
    events: { ...noEvents, failed: (kind) => failures.add(kind) },
    ...options,
  });
  return { engine, failures, [Symbol.asyncDispose]: () => engine.close() };
}

/** Sessions that fail with each of the given faults once, in their order. */
function failing(faults: Fault[]): Partial<EngineOptions> {
  const next = (possible: readonly Fault[]) =>
    faults[0] !== undefined && possible.includes(faults[0]) ? faults.shift() : undefined;
  return { open: async () => faultySession(await open(), next) };
}

let calls = 0;
function pay(parts: Partial<Transfer> = {}): Command<unknown> {
  calls += 1;
  const [from, to] = [String(1 + (calls % 40)), String(1 + ((calls * 7 + 3) % 40))];
  return transferCommand({ from, to: to === from ? "40" : to, amount: 1n, externalId: `recovery-${calls}`, ...parts });
}

const kindsOf = (outcomes: readonly Outcome<unknown>[]) => [...new Set(outcomes.map((outcome) => outcome.kind))].sort();

/** Counts the commands that are recorded as accepted. */
async function countAccepted(commands: readonly Command<unknown>[]): Promise<number> {
  const ids = commands.map((command) => command.id);
  return (await client.query("select from accepted_requests where id = any($1)", [ids])).rowCount ?? 0;
}

async function sessions(): Promise<number> {
  const text = "select from pg_stat_activity where application_name = $1";
  return (await client.query(text, [name])).rowCount ?? 0;
}

for (const fault of everyFault) {
  test(`${fault}: the batch is retried, once`, async () => {
    const faults = [fault];
    await using one = await startEngine(failing(faults));
    const commands = Array.from({ length: 5 }, () => pay());
    const outcomes = await Promise.all(commands.map((command) => one.engine.submit(command)));
    assert.deepEqual(kindsOf(outcomes), ["effect"]);
    assert.equal(await countAccepted(commands), 5);
    assert.deepEqual(faults, []);
    assert.ok(one.failures.size > 0);
  });
}

test("under load, with every fault at random moments and batches chained behind the failing ones", async () => {
  const pick = randomNumbers(17);
  const next = (possible: readonly Fault[]) =>
    pick() < 0.1 ? possible[Math.floor(pick() * possible.length)] : undefined;
  const { engine, failures } = await startEngine({
    open: async () => faultySession(await open(), next),
    batch: { commands: 16, rows: 80, unboundedReads: 4 },
  });
  const sent: { command: Command<unknown>; outcome: Outcome<unknown> }[] = [];
  const caller = async () => {
    for (let round = 0; round < 30; round += 1) {
      const command = pay();
      sent.push({ command, outcome: await engine.submit(command) });
    }
  };
  await Promise.all(Array.from({ length: 50 }, caller));
  await engine.close();
  assert.deepEqual(kindsOf(sent.map((one) => one.outcome)), ["effect"]);
  for (const { command, outcome } of sent) assert.equal(outcome.kind === "effect" && outcome.id, command.id);
  assert.equal(await countAccepted(sent.map((one) => one.command)), sent.length);
  assert.deepEqual([...failures].sort(), ["conflict", "lost"]);
  assert.equal(await sessions(), 0, "no connection is left behind");
});

test("a command that PostgreSQL rejects fails by itself; the rest of its batch is committed", async () => {
  await using one = await startEngine();
  const broken = [
    pay({ from: "1\u0000" }),
    { ...pay(), keys: { ...(pay().keys ?? assert.fail()), bodyHash: "no hash" } },
    { ...pay(), freeForm: "\u0000" },
  ];
  const sound = Array.from({ length: 20 }, () => pay());
  const outcomes = await Promise.all(
    [...sound.slice(0, 10), ...broken, ...sound.slice(10)].map((each) => one.engine.submit(each)),
  );
  const alone = outcomes.splice(10, broken.length);
  assert.deepEqual(kindsOf(alone), ["failed"]);
  assert.deepEqual(kindsOf(outcomes), ["effect"]);
  assert.equal(await countAccepted(broken), 0);
});

test("a stale plan of a changed table and a lost prepared statement cost a connection, and no command", async () => {
  const opened: Session[] = [];
  const keep = (session: Session) => {
    opened.push(session);
    return session;
  };
  await using one = await startEngine({ open: async () => keep(await open()) });
  const first = await one.engine.submit(pay());
  await client.query("alter table accounts alter column name type varchar(200)");
  const changed = await one.engine.submit(pay());
  await opened.at(-1)?.run({ name: "forget", text: "deallocate all" });
  assert.deepEqual(kindsOf([first, changed, await one.engine.submit(pay())]), ["effect"]);
  assert.deepEqual([[...one.failures], opened.length], [["lost"], 3]);
});

test("an invalid payload stops the commit before it is sent: no money moves without its record", async () => {
  await using one = await startEngine();
  const command = pay();
  // Daily use without a value: the row cannot be written when half of the round trip was sent.
  const badAccount: Command<unknown> = {
    ...command,
    decide: (found, context) => {
      const decision = command.decide(found, context);
      const source = found.account(command.locks.accountNumbers?.[0] ?? "");
      if (decision.kind !== "effect" || !source) return decision;
      const broken = { account: source.id, use: undefined as never };
      return { kind: "effect", effect: { ...decision.effect, dailyUses: [broken] } };
    },
  };
  assert.equal((await one.engine.submit(badAccount)).kind, "failed");
  assert.equal(await countAccepted([badAccount]), 0);
  assert.equal((await one.engine.submit(pay())).kind, "effect");
});

test("without the database: overloaded while nothing was sent, unknown once a commit was lost, both in time", async () => {
  let isAway = false;
  const faults: Fault[] = ["answerLost"];
  const next = (possible: readonly Fault[]) => (possible.includes("answerLost") ? faults.shift() : undefined);
  const { engine } = await startEngine({
    open: async () => {
      if (isAway) throw new Error("no route to the database");
      return faultySession(await open(), next);
    },
  });
  isAway = true;
  const startedAt = performance.now();
  const lost = pay({ commandTimeoutMs: 700 });
  const outcomes = await Promise.all([lost].map((command) => engine.submit(command)));
  const later = await engine.submit(pay({ commandTimeoutMs: 500 }));
  assert.deepEqual(
    [...outcomes, later].map((outcome) => outcome.kind),
    ["unknown", "overloaded"],
  );
  assert.ok(performance.now() - startedAt < 5_000);
  assert.equal(await countAccepted([lost]), 1);
  isAway = false;
  const again = { ...pay(), keys: lost.keys ?? assert.fail() };
  const repeat = await engine.submit(again);
  assert.ok(repeat.kind === "repeat" && repeat.repeat === "sameCall" && repeat.original.id === lost.id);
  await engine.close();
});

test("a command whose commit was lost and whose retry fails is unknown, never failed", async () => {
  let isBroken = false;
  const next = (possible: readonly Fault[]) => {
    if (isBroken || !possible.includes("answerLost")) return undefined;
    isBroken = true;
    return "answerLost";
  };
  const broken: Statement = { name: "broken", text: "select 1 / 0" };
  const openBroken = async (): Promise<Session> => {
    const session = faultySession(await open(), next);
    const run: Session["run"] = (statement, values) =>
      isBroken && statement.name === "find-request-keys" ? session.run(broken) : session.run(statement, values);
    return { ...session, run };
  };
  await using one = await startEngine({ open: openBroken });
  const command = pay();
  assert.equal((await one.engine.submit(command)).kind, "unknown");
  assert.equal(await countAccepted([command]), 1);
  const following = pay();
  assert.equal((await one.engine.submit(following)).kind, "failed");
  assert.equal(await countAccepted([following]), 0);
});

test("a command whose time window ends while it waits for a row is not decided", async () => {
  await using one = await startEngine();
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin; select from accounts where account_no = '1' for update");
  const command = pay({ from: "1", to: "2", windowEndsAt: Date.now() + 400 });
  const released = one.engine.submit(pay({ from: "1", to: "2", commandTimeoutMs: 800 })).then(() => holder.end());
  assert.equal((await one.engine.submit(command)).kind, "overloaded");
  assert.equal(await countAccepted([command]), 0);
  await released;
});

test("a full queue answers at once, with nothing recorded", async () => {
  await using one = await startEngine({ queue: { requests: 10, requestsOfOnePartner: 10, jobs: 2 } });
  const commands = Array.from({ length: 25 }, () => pay());
  const outcomes = await Promise.all(commands.map((command) => one.engine.submit(command)));
  assert.deepEqual(kindsOf(outcomes), ["effect", "overloaded"]);
  const taken = commands.filter((_, index) => outcomes[index]?.kind === "effect");
  assert.equal(taken.length, 10);
  assert.deepEqual([await countAccepted(taken), await countAccepted(commands)], [10, 10]);
});

test("two partners that fill the queue do not exclude a third", async () => {
  await using one = await startEngine({ queue: { requests: 10, requestsOfOnePartner: 5, jobs: 2 } });
  const by = (last: number) => ({ partner: `0190aaaa-0000-7000-8000-00000000000${last}` });
  const filling = Array.from({ length: 10 }, (_, index) => one.engine.submit(pay(index < 5 ? {} : by(2))));
  assert.equal(one.engine.hasCapacity(by(2).partner), false);
  assert.equal(one.engine.hasCapacity(by(3).partner), true);
  // It is rejected because it owns none of the accounts: so it was decided.
  assert.deepEqual(kindsOf([await one.engine.submit(pay(by(3)))]), ["rejection"]);
  const outcomes = await Promise.all(filling);
  assert.equal(outcomes.filter(({ kind }) => kind === "overloaded").length, 1);
});

test("closing finishes accepted commands, accepts no new ones, and leaves no connection", async () => {
  const { engine } = await startEngine({ batch: { commands: 4, rows: 20, unboundedReads: 4 } });
  const taken = Array.from({ length: 200 }, () => engine.submit(pay()));
  const closed = engine.close();
  assert.equal((await engine.submit(pay())).kind, "overloaded");
  assert.deepEqual(kindsOf(await Promise.all(taken)), ["effect"]);
  await closed;
  assert.equal(await sessions(), 0);
});

test("commands that write more rows than a batch may have are committed one by one, on the same accounts", async () => {
  // A transfer writes five: the request, two entries, two balances.
  await using one = await startEngine({ batch: { commands: 256, rows: 4, unboundedReads: 4 } });
  const commands = Array.from({ length: 4 }, () => pay({ from: "1", to: "2" }));
  const outcomes = await Promise.all(commands.map((command) => one.engine.submit(command)));
  assert.deepEqual(kindsOf(outcomes), ["effect"]);
});

test("100 lost connections leave neither connections nor memory behind", async () => {
  let isDue = false;
  const next = (possible: readonly Fault[]) => {
    const fault = isDue ? possible.find((each) => each === "answerLost") : undefined;
    if (fault) isDue = false;
    return fault;
  };
  const { engine } = await startEngine({ open: async () => faultySession(await open(), next) });
  const sizes: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    isDue = true;
    assert.equal((await engine.submit(pay())).kind, "effect");
    if (round % 25 === 24) sizes.push(heapBytes());
  }
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)];
  // A connection has some 100 kB of buffers: a leak of 75 would show.
  assert.ok(last - first < 5_000_000, `the heap grew from ${first} to ${last} bytes`);
  assert.ok((await sessions()) <= 2);
  await engine.close();
  assert.equal(await sessions(), 0);
});

function heapBytes(): number {
  collectGarbage();
  const used = process.memoryUsage();
  return used.heapUsed + used.external + used.arrayBuffers;
}
