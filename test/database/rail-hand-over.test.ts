/** Instructions to rails with one writer: sequences without gaps, by the holder of the lease alone, and nothing that is forgotten. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Client } from "pg";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import {
  areAskedFor,
  assignSequences,
  freeUnwritten,
  recordReports,
  recordWritten,
} from "../../packages/server/src/store/tables/rail-records/rail-exports.ts";
import {
  askAgain,
  askForExport,
  findRailInstructions,
  findReported,
  listWritten,
  type NewRailInstruction,
  recordHandedOver,
  withdrawInstruction,
} from "../../packages/server/src/store/tables/rail-records/rail-instructions.ts";
import {
  addLease,
  type LeaseTerms,
  listStopped,
  releaseWritten,
  renewLease,
  stopExport,
  takeLease,
} from "../../packages/server/src/store/tables/rail-records/rail-leases.ts";
import {
  readResultPositions,
  writeResultPositions,
} from "../../packages/server/src/store/tables/rail-records/rail-result-files.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useJobDatabase } from "../support/database/job-database.ts";

const database = await useJobDatabase();
const { pool, client } = database;
const locker = new Client({ connectionString: database.ownerUrl });
await locker.connect();
after(async () => {
  await locker.end();
  await database.drop();
});

const rail = "skn";
const clock = createClock();
const now = Date.UTC(2026, 10, 23, 3);
const timeOf = (ms: number) => new Date(ms).toISOString();

beforeEach(() => client.query("truncate rail_leases, rail_instructions, rail_result_files"));

function instruction(referenceNo: string, more: Partial<NewRailInstruction> = {}): NewRailInstruction {
  const validUntil = timeOf(now + 5_000);
  return {
    referenceNo,
    idempotencyKey: `key ${referenceNo}`,
    terms: "{}",
    validUntil,
    awaitedUntil: undefined,
    ...more,
  };
}
const ask = (...numbers: readonly string[]) =>
  askForExport(
    pool,
    rail,
    numbers.map((number) => instruction(number)),
  );

async function take(): Promise<LeaseTerms> {
  const holder = newId();
  await addLease(pool, rail);
  const { fence = 0 } = (await takeLease(pool, { rail, holder, forMs: 30_000 })) ?? {};
  return { rail, holder, fence };
}

/** `number sequence` of what was assigned. */
async function assign(lease: LeaseTerms, { sequence = 0, limit = 10, at = now } = {}): Promise<readonly string[]> {
  const assignment = { sequence, limit, now: at, at: momentOf(clock) };
  const { rows } = await assignSequences(pool, lease, assignment, () => undefined);
  return rows.map((row) => `${row.referenceNo} ${row.sequence}`);
}

/** Each row as the values of these columns. */
async function valuesOf(columns: string, table = "rail_instructions"): Promise<readonly unknown[][]> {
  const { rows } = await client.query({ text: `select ${columns} from ${table} order by 1`, rowMode: "array" });
  return rows;
}

const isKept = (error: unknown) => error instanceof Error && "code" in error && error.code === "23001";

test("an instance that has lost the lease renews, stops, assigns, records and acknowledges nothing", async () => {
  const holder = await take();
  const others = [
    { ...holder, holder: newId() },
    { ...holder, fence: 9 },
  ];
  await ask("A", "B");
  assert.deepEqual(await assign(holder, { limit: 1 }), ["A 1"]);
  for (const other of others) {
    assert.equal(await renewLease(pool, other, 1_000), undefined);
    assert.equal(await stopExport(pool, other, "because"), false);
    assert.deepEqual(await assign(other, { sequence: 1 }), []);
    assert.equal(await recordWritten(pool, other, ["A"], now), false);
    await freeUnwritten(pool, other);
    assert.equal(await recordReports(pool, other, [{ referenceNo: "A", state: "settled" }], now), undefined);
    assert.equal(await writeResultPositions(pool, other, {}), false);
  }
  await writeResultPositions(pool, holder, { "a.jsonl": { upTo: 3, beyond: [] } });
  for (const other of others) await writeResultPositions(pool, other, { "b.jsonl": { upTo: 3, beyond: [] } });
  assert.deepEqual(Object.keys(await readResultPositions(pool, rail)), ["a.jsonl"]);
  assert.deepEqual(await valuesOf("sequence::int, stopped_because", "rail_leases"), [[1, null]]);
  assert.deepEqual(await valuesOf("reference_no, fence::int, written_at, state"), [
    ["A", 1, null, null],
    ["B", null, null, null],
  ]);
  assert.equal(await renewLease(pool, holder, 1_000), 1);
});

test("an instruction is asked for once by its number and once by its key, and not while its rail is stopped", async () => {
  const lease = await take();
  await ask("A");
  await askForExport(pool, rail, [
    instruction("A", { idempotencyKey: "other" }),
    instruction("B", { idempotencyKey: "key A" }),
  ]);
  assert.deepEqual(await valuesOf("reference_no, idempotency_key"), [["A", "key A"]]);
  await stopExport(pool, lease, "because");
  await ask("C");
  const { stoppedBecause, isCompared, instructions } = await findRailInstructions(pool, rail, {
    numbers: ["C"],
    keys: ["key A"],
  });
  assert.deepEqual(
    [stoppedBecause, isCompared, instructions.map(({ referenceNo }) => referenceNo)],
    ["because", true, ["A"]],
  );
  assert.deepEqual(await listStopped(pool), [{ rail, because: "because", isAhead: false }]);
  assert.deepEqual(await assign(lease), []);
  await stopExport(pool, lease, undefined);
  assert.deepEqual(await assign(lease), ["A 1"]);
});

test("sequences follow each other: of what has not expired, is not written and is nobody's, and of the sequence that is known", async () => {
  const lease = await take();
  await ask("B", "A", "C");
  assert.deepEqual(await assign(lease, { sequence: 5 }), []);
  assert.deepEqual(await assign(lease, { limit: 2 }), ["A 1", "B 2"]);
  assert.equal(await areAskedFor(pool, rail, now), true);
  assert.equal(await areAskedFor(pool, rail, now + 5_000), false);
  assert.deepEqual(await assign(lease, { sequence: 2, at: now + 5_000 }), []);
  assert.deepEqual(await assign(lease, { sequence: 2 }), ["C 3"]);
  assert.equal(await areAskedFor(pool, rail, now), false);
  assert.equal(await recordWritten(pool, lease, ["A"], now), true);
  await freeUnwritten(pool, lease);
  await ask("D");
  assert.deepEqual(await assign(lease, { sequence: 3 }), ["B 2", "C 3", "D 4"]);
  await recordWritten(pool, lease, ["A", "B"], now + 1);
  assert.deepEqual(await valuesOf("reference_no, written_at"), [
    ["A", new Date(now)],
    ["B", new Date(now + 1)],
    ["C", null],
    ["D", null],
  ]);
});

/** Waits until so many sessions of the pool wait for a lock. */
async function untilBlocked(count: number): Promise<void> {
  const text = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await eventually(async () => (await client.query(text)).rowCount === count, 20);
}

test("two assignments at once give no sequence twice, and one whose instruction is withdrawn leaves no gap", async () => {
  const lease = await take();
  await ask("A");
  await locker.query("begin; select from rail_instructions for update");
  const first = assign(lease);
  await untilBlocked(1);
  await ask("B");
  const second = assign(lease);
  await untilBlocked(2);
  await locker.query("commit");
  assert.deepEqual([await first, await second], [["A 1"], []]);
  await locker.query("begin; delete from rail_instructions where reference_no = 'B'");
  const third = assign(lease, { sequence: 1 });
  await untilBlocked(1);
  await locker.query("commit");
  assert.deepEqual(await third, []);
  assert.equal(await renewLease(pool, lease, 30_000), 1);
});

test("only what has no sequence is withdrawn, and only what expired unwritten is asked for again; what is written is kept", async () => {
  const lease = await take();
  await ask("A", "B");
  assert.equal(await withdrawInstruction(pool, rail, "B"), true);
  assert.equal(await withdrawInstruction(pool, rail, "B"), false);
  await assign(lease);
  assert.equal(await withdrawInstruction(pool, rail, "A"), false);
  const again = { referenceNo: "A", validUntil: timeOf(now + 60_000) };
  await askAgain(pool, rail, { ...again, now });
  assert.deepEqual(await assign(lease, { sequence: 1 }), []);
  await askAgain(pool, rail, { ...again, now: now + 6_000 });
  assert.deepEqual(await assign(lease, { sequence: 1 }), ["A 1"]);
  await recordWritten(pool, lease, ["A"], now);
  await askAgain(pool, rail, { referenceNo: "A", validUntil: timeOf(now + 99_000), now: now + 90_000 });
  assert.deepEqual(await valuesOf("valid_until"), [[new Date(now + 60_000)]]);
  const changes = [
    "rail = 'x'",
    "reference_no = 'x'",
    "idempotency_key = 'x'",
    "terms = ''",
    "sequence = 2",
    "written_at = null",
  ];
  for (const change of changes)
    await assert.rejects(client.query(`update rail_instructions set ${change}`), isKept, change);
  await assert.rejects(client.query("delete from rail_instructions"), isKept);
});

test("the first report of an instruction stands, but for a return behind a settlement; it says whose caller waits", async () => {
  const lease = await take();
  const awaited = [
    instruction("B", { awaitedUntil: timeOf(now) }),
    instruction("C", { awaitedUntil: timeOf(now + 1) }),
  ];
  await askForExport(pool, rail, [instruction("A"), ...awaited]);
  await assign(lease);
  const report = (referenceNo: string, state: string, more = {}) =>
    recordReports(pool, lease, [{ referenceNo, state, ...more }], now);
  const states = async () =>
    (await findReported(pool, rail, ["A", "B", "C"])).map((row) => Object.values(row).join(" "));
  assert.deepEqual(await report("A", "settled", { traceNo: "T1" }), []);
  await report("A", "rejected", { rejection: "rejected" });
  assert.deepEqual(await states(), ["A settled  T1"]);
  await report("A", "returned");
  await report("A", "settled");
  assert.deepEqual(await states(), ["A returned  T1"]);
  const both = [
    { referenceNo: "B", state: "settled" },
    { referenceNo: "B", state: "returned" },
    { referenceNo: "C", state: "rejected", rejection: "rejected" },
  ];
  assert.deepEqual(await recordReports(pool, lease, [...both, { referenceNo: "C", state: "returned" }], now), ["C"]);
  assert.deepEqual(await states(), ["A returned  T1", "B returned  ", "C rejected rejected "]);
  assert.deepEqual(await valuesOf("written_at"), [[new Date(now)], [new Date(now)], [new Date(now)]]);
});

test("what a directory has counts as written, under its sequence; what waits under its key is withdrawn", async () => {
  const lease = await take();
  await ask("A", "B", "C");
  await assign(lease, { limit: 1 });
  await recordWritten(pool, lease, ["A"], now);
  const line = (referenceNo: string, sequence: number | undefined, key = `key ${referenceNo}`) => {
    return { referenceNo, sequence, idempotencyKey: key, terms: "{}", writtenAt: now + 1 };
  };
  await recordHandedOver(pool, rail, [line("A", 1), line("X", 7, "key B"), line("C", 4), line("Y", undefined, "y")]);
  assert.deepEqual(await valuesOf("reference_no, idempotency_key, sequence::int, written_at"), [
    ["A", "key A", 1, new Date(now)],
    ["C", "key C", 4, new Date(now + 1)],
    ["X", "key B", 7, new Date(now + 1)],
    ["Y", "y", null, new Date(now + 1)],
  ]);
  assert.equal(await renewLease(pool, lease, 1_000), 7);
  await recordHandedOver(pool, rail, [line("Z", 2)]);
  assert.equal(await renewLease(pool, lease, 1_000), 7);
  await ask("W");
  assert.deepEqual(await assign(lease, { sequence: 7 }), ["W 8"]);
  const range = { behind: 1, upTo: 7, since: now + 1, before: undefined, limit: 2 };
  assert.deepEqual(
    (await listWritten(pool, rail, range)).map(({ sequence }) => sequence),
    [2, 4],
  );
  await releaseWritten(pool, rail);
  assert.deepEqual(await valuesOf("released_sequence::int", "rail_leases"), [[8]]);
});
