/** `accounts`, grown under a long snapshot, shrinks again while calls are served (docs/guides/database-growth.md). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createCompactAccounts } from "../../packages/server/src/jobs/compact-accounts.ts";
import { moveAccount, readAccountsOnPages } from "../../packages/server/src/store/partitions/compaction.ts";
import { findFaults } from "../engine/find-faults.ts";
import { forkNode } from "../engine/fork-node.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { withClient } from "../support/database/with-client.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const hot = Array.from({ length: 20 }, (_, index) => String(index + 1));
let excess = 0;
const compaction = () => createCompactAccounts({ pool, onExcess: (bytes) => (excess = Math.max(excess, bytes)) });
const job = compaction();

async function sizeAfterVacuum(): Promise<number> {
  await client.query("vacuum analyze accounts");
  return size();
}

async function size(): Promise<number> {
  const { rows } = await client.query<{ size: string }>("select pg_relation_size('accounts') as size");
  return Number(rows[0]?.size);
}

/** Changes hot accounts while a snapshot is open, and what the service's job does meanwhile. */
async function growUnderSnapshot(): Promise<number> {
  return withClient(database.url, async (report) => {
    await report.query("begin isolation level repeatable read; select from accounts limit 1");
    for (let n = 0; n < 500; n += 1) {
      await client.query(
        "update accounts set daily_debit_count = n from generate_series($2::int, $2) n where account_no = any($1)",
        [hot, n],
      );
    }
    await client.query("analyze accounts");
    const moved = (await job.run(mayGoOn)) + (await job.run(mayGoOn));
    await report.query("commit");
    return moved;
  });
}

/** Transactions of other tests on the cluster put off both moves and vacuum: how many moves it took, and the size then. */
async function shrink(toBytes: number): Promise<{ readonly moved: number; readonly shrunk: number }> {
  let moved = 0;
  let shrunk = await size();
  for (let tries = 0; tries < 400 && shrunk > toBytes; tries += 1) {
    moved += await job.run(mayGoOn);
    await sleep(25);
    shrunk = await sizeAfterVacuum();
  }
  return { moved, shrunk };
}

const rowsText = "select md5(string_agg(a::text, ' ' order by id)) as digest from accounts a";

test("grown under a snapshot, the table stays large when it is vacuumed; once accounts are moved it shrinks", async () => {
  // Vacuumed by this test alone, as autovacuum does within minutes.
  await client.query("alter table accounts set (autovacuum_enabled = off)");
  await seedAccounts(client, accounts(1_000, 1_000_000n));
  const before = await sizeAfterVacuum();
  assert.equal(await growUnderSnapshot(), 0, "nothing is moved while the snapshot is open");
  assert.equal(await job.run(mayGoOn), 0, "nor before a vacuum has found the free pages");
  const grown = await sizeAfterVacuum();
  assert.ok(grown > 4 * before, `grown to ${grown} from ${before} bytes`);
  const { rows } = await client.query(rowsText);
  assert.equal(await job.run(async () => false), 0, "nor while the node stops");
  const { moved, shrunk } = await shrink(2 * before);
  assert.ok(moved > 0 && shrunk <= 2 * before, `${moved} moved, still ${shrunk} of ${before} bytes`);
  assert.deepEqual((await client.query(rowsText)).rows, rows);
  assert.ok(excess > 2 * before);
  assert.equal(await job.run(mayGoOn), 0);
  assert.deepEqual(await findFaults(client), []);
});

/** Below it the job leaves the table alone. */
const excessMin = 1_048_576;

/** Moves the last accounts of the table, whatever its size; answers how many went to a page before theirs. */
async function moveLast(): Promise<number> {
  let moved = 0;
  const last = await readAccountsOnPages(pool, 0, (await size()) / 8_192);
  for (const account of last.slice(0, 40)) if ((await moveAccount(pool, account)) === "moved") moved += 1;
  return moved;
}

test("accounts are moved, from two connections at once, while two nodes book on them: no transfer fails, none is lost", async () => {
  const before = await sizeAfterVacuum();
  await growUnderSnapshot();
  const grown = await sizeAfterVacuum();
  assert.ok(grown > 3 * before, `grown to ${grown} from ${before} bytes`);
  const nodes = await Promise.all([forkNode(database.url), forkNode(database.url)]);
  let sent = 0;
  let isOver = false;
  const call = async (caller: number) => {
    while (!isOver) {
      const [from = "", to = ""] = [hot[caller], hot[(caller + 7) % hot.length]];
      const answer = await nodes[caller % 2]?.submit({ from, to, amount: 1n, externalId: `move-${(sent += 1)}` });
      assert.equal(answer?.kind, "effect");
    }
  };
  const callers = Promise.all(hot.map((_, caller) => call(caller)));
  const other = compaction();
  let moved = 0;
  try {
    for (let n = 0; n < 10; n += 1) {
      for (const count of await Promise.all([moveLast(), moveLast()])) moved += count;
      await Promise.all([job.run(mayGoOn), other.run(mayGoOn)]);
      await sleep(50);
      await sizeAfterVacuum();
    }
  } finally {
    isOver = true;
    await callers;
  }
  assert.deepEqual(await Promise.all(nodes.map((node) => node.close())), [0, 0]);
  assert.deepEqual(
    nodes.flatMap((node) => [...node.failures.keys()]).filter((failure) => /poison|alone/.test(failure)),
    [],
  );
  const { shrunk } = await shrink(2 * before + excessMin);
  assert.ok(moved > 0 && shrunk <= 2 * before + excessMin, `${moved} moved; ${shrunk} of ${before} bytes`);
  const { rows } = await client.query<{ count: string }>(
    "select count(*) from accepted_requests where external_id like 'move-%'",
  );
  assert.equal(Number(rows[0]?.count), sent);
  assert.deepEqual(await findFaults(client), []);
  // The JSON that the commands of a test leave is no request, and accounts made by SQL have no act.
  const { findings } = await runAudit(database.url, { findingsMax: 1_000_000 });
  assert.deepEqual(
    findings.filter(({ check }) => !["recordHasJournal", "numberHasRecord", "journalHasOrigin"].includes(check)),
    [],
  );
});
