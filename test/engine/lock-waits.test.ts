// A row locked by another transaction: only commands that need it wait, and no longer than their callers.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { setImmediate as tick, setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { findFaults } from "./find-faults.ts";
import { type Answer, forkNode } from "./fork-node.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import type { Transfer } from "./transfers.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
const crowdFrom = 1_000;
const crowd = 1_900;
const crowdPartner = "0190aaaa-0000-7000-8000-000000000002";
const crowded = accounts(crowdFrom + crowd, 1_000n)
  .slice(crowdFrom)
  .map((account) => ({ ...account, partners: [crowdPartner] }));
await seedAccounts(client, [...accounts(60, 1_000_000n), ...crowded]);
const [node, other] = await Promise.all([forkNode(database.url), forkNode(database.url)]);

after(async () => {
  const codes = await Promise.all([node.close(), other.close()]);
  await client.end();
  await database.drop();
  assert.deepEqual(codes, [0, 0]);
});

afterEach(async () => assert.deepEqual(await findFaults(client), []));

let calls = 0;
function transfer(from: string, to: string, parts: Partial<Transfer> = {}): Transfer {
  calls += 1;
  return { from, to, amount: 1n, externalId: `held-${calls}`, ...parts };
}

interface Timed {
  readonly answer: Answer;
  readonly ms: number;
}

async function timed(answer: Promise<Answer>): Promise<Timed> {
  const startedAt = performance.now();
  return { answer: await answer, ms: performance.now() - startedAt };
}

/** Sends transfers among accounts 11 to 60, which nobody locks, until stopped; resolves with the time of each. */
async function payUntil(isOver: () => boolean): Promise<readonly Timed[]> {
  const times: Timed[] = [];
  const caller = async (index: number) => {
    for (let round = 0; !isOver(); round += 1) {
      const from = 11 + ((index * 7 + round) % 50);
      times.push(await timed(node.submit(transfer(String(from), String(11 + ((from - 10) % 50))))));
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => caller(index)));
  return times;
}

const lockOf = (accountNo: string) => `begin; select from accounts where account_no = '${accountNo}' for update`;

/** A connection whose transaction has locked the account's row; its end releases it. */
async function lockAccount(accountNo: string): Promise<Client> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query(lockOf(accountNo));
  return holder;
}

/** Counts transfers of 20 payers to a shared account, on both nodes, in the given time. */
async function countShared(ms: number): Promise<number> {
  const endsAt = performance.now() + ms;
  let done = 0;
  const pay = async (from: number) => {
    for (let round = from; performance.now() < endsAt; round += 1) {
      const { kind } = await (round % 2 === 0 ? node : other).submit(transfer(String(from), "4"));
      assert.equal(kind, "effect");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => pay(11 + index)));
  return done;
}

/** Waits until the node has done its first round trip and not sent its second. */
async function waitForLocks(pid: number): Promise<void> {
  const text = "select from pg_stat_activity where application_name = $1 and state = 'idle in transaction'";
  await eventually(async () => (await client.query(text, [`test node ${pid}`])).rowCount === 1, 10);
}

const slowest = (times: readonly Timed[]) => Math.round(Math.max(...times.map((one) => one.ms)));

test("a row locked for 3 s delays commands that need it, and others by one lock time-out at most", async () => {
  const holder = await lockAccount("1");
  const released = sleep(3_000).then(() => holder.end());
  let isOver = false;
  const waiting = Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      timed(node.submit(index % 2 === 0 ? transfer("1", "2") : transfer("3", "1"))),
    ),
  );
  const paying = payUntil(() => isOver);
  const waited = await waiting;
  isOver = true;
  const free = await paying;
  await released;
  console.log(`locked row: ${slowest(waited)} ms, others: ${slowest(free)} ms of ${free.length} transfers`);
  assert.ok(waited.every(({ answer }) => answer.kind === "effect"));
  assert.ok(free.every(({ answer }) => answer.kind === "effect"));
  assert.ok(
    waited.every(({ ms }) => ms > 2_500 && ms < 6_000),
    `waited ${slowest(waited)} ms`,
  );
  // One batch meets the lock time-out; from then on no batch waits for the row.
  assert.ok(slowest(free) < 2_000, `others took ${slowest(free)} ms`);
  assert.ok(free.filter(({ ms }) => ms > 500).length <= 20, "only those in the batch that met the row were delayed");
});

test("a copy of an accepted transfer is answered at once, though its payer is locked", async () => {
  const copied = transfer("1", "2", { externalId: "copied" });
  assert.equal((await node.submit(copied)).kind, "effect");
  const holder = await lockAccount("1");
  const waiting = node.submit(transfer("1", "2"));
  assert.equal((await node.submit(copied)).kind, "repeat");
  await holder.end();
  assert.equal((await waiting).kind, "effect");
});

test("a row locked for longer than its caller waits: overloaded, nothing taken, and free at once afterwards", async () => {
  const holder = await lockAccount("1");
  const { answer, ms } = await timed(
    node.submit(transfer("1", "2", { externalId: "impatient", commandTimeoutMs: 1_500 })),
  );
  assert.equal(answer.kind, "overloaded");
  assert.ok(ms >= 1_400 && ms < 3_500, `answered after ${ms} ms`);
  await holder.end();
  const next = await timed(node.submit(transfer("1", "2")));
  assert.equal(next.answer.kind, "effect");
  assert.ok(next.ms < 2_000, `the next took ${next.ms} ms`);
  const taken = await client.query("select from accepted_requests where external_id = 'impatient'");
  assert.equal(taken.rowCount, 0);
});

test("a row locked by others in succession, each for longer than the lock time-out, is locked in turn", async () => {
  const holder = await lockAccount("1");
  const waiting = node.submit(transfer("1", "2", { commandTimeoutMs: 5_000 }));
  let isOver = false;
  const ends = waiting.then(() => (isOver = true));
  // Like chained batches: locked again in the packet of the commit.
  while (!isOver) {
    await Promise.race([sleep(400), ends]);
    await holder.query(`commit; ${lockOf("1")}`);
  }
  await holder.end();
  assert.equal((await waiting).kind, "effect");
});

test("1,900 locked rows of one partner are each met once: others' transfers go on, and theirs once the rows are free", async () => {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query(`begin; select from accounts where '${crowdPartner}' = any(authorized_partner_ids) for update`);
  const waits = () => node.failures.get("lockWait 55P03") ?? 0;
  const before = waits();
  const waiting = crowded.map(({ accountNo }) =>
    node.submit(transfer(accountNo, "1", { partner: crowdPartner, commandTimeoutMs: 30_000 })),
  );
  let isOver = false;
  const paying = payUntil(() => isOver);
  await sleep(3_000);
  const met = waits() - before;
  await sleep(1_500);
  const later = waits() - before - met;
  isOver = true;
  const others = await paying;
  await holder.end();
  console.log(`crowd of locked rows: ${met} lock waits, then ${later}, ${others.length} transfers of others`);
  assert.ok(others.every(({ answer }) => answer.kind === "effect"));
  assert.deepEqual(new Set((await Promise.all(waiting)).map(({ kind }) => kind)), new Set(["effect"]));
  assert.equal(later, 0, "no batch waits for a row that was met before");
});

test("commands wait while a migration has locked a whole table; none is rejected", async () => {
  const holder = new Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query("begin; lock table accounts in access exclusive mode");
  const waiting = Array.from({ length: 20 }, () => node.submit(transfer("1", "2")));
  await sleep(1_500);
  await holder.end();
  assert.deepEqual(new Set((await Promise.all(waiting)).map(({ kind }) => kind)), new Set(["effect"]));
});

test("closing waits for the commands that wait for a locked row", async () => {
  const closing = await forkNode(database.url);
  const holder = await lockAccount("1");
  const patient = closing.submit(transfer("1", "2"));
  const impatient = closing.submit(transfer("3", "1", { commandTimeoutMs: 700 }));
  // Both are sent in one message, before the next turn of the event loop.
  await tick();
  const closed = closing.close();
  assert.equal((await impatient).kind, "overloaded");
  await holder.end();
  assert.equal((await patient).kind, "effect");
  assert.equal(await closed, 0);
});

test("a node stopped while it holds the hot account stalls the others for about 6 s, and commits nothing when it continues", async () => {
  // Warm: its connection is open, its statements are prepared.
  assert.equal((await other.submit(transfer("5", "6"))).kind, "effect");
  const stopping = timed(other.submit({ ...transfer("1", "2", { externalId: "stopped" }), stopsNode: true }));
  await waitForLocks(other.pid);
  const hot = await Promise.all(
    Array.from({ length: 40 }, (_, index) => timed(node.submit(transfer(index % 2 === 0 ? "1" : "3", "2")))),
  );
  console.log(`stopped node: the hot account stalled for ${slowest(hot)} ms`);
  assert.ok(hot.every(({ answer }) => answer.kind === "effect"));
  assert.ok(slowest(hot) < 9_000, `stalled for ${slowest(hot)} ms`);
  process.kill(other.pid, "SIGCONT");
  const { answer } = await stopping;
  const { rowCount } = await client.query("select from accepted_requests where external_id = 'stopped'");
  // Its transaction was ended meanwhile; its response must be true.
  if (answer.kind === "effect") assert.equal(rowCount, 1);
  else assert.deepEqual([answer.kind, rowCount], ["unknown", 0]);
  assert.equal((await other.submit(transfer("1", "2"))).kind, "effect", "the node works again");
});

test("calls of a locked payer do not slow down others' transfers to the same account, on both nodes", async () => {
  await countShared(300);
  const free = await countShared(1_500);
  const holder = await lockAccount("31");
  let isOver = false;
  const calling = (async () => {
    for (let round = 0; !isOver; round += 1) {
      await (round % 2 === 0 ? node : other).submit(transfer("31", "4", { commandTimeoutMs: 500 }));
    }
  })();
  const locked = await countShared(1_500);
  isOver = true;
  await holder.end();
  await calling;
  console.log(`locked payer: ${locked} transfers of others, ${free} without`);
  // With two lock time-outs of 0.25 s. If pipelines slept with the shared row locked, it would be a thirtieth.
  assert.ok(locked > free / 5, `${locked} of ${free}`);
});
