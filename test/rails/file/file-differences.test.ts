/** Goal: each difference of a directory and the database is kept, decided on once, and acts as decided. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { reviewDirectory } from "../../../packages/rail-files/src/export/review.ts";
import { decideOnDifference, openRailDirectory } from "../../../packages/server/src/compose/rails/rail-differences.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { railRecords } from "../../../packages/server/src/compose/rails/rail-records.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import type { DifferenceDecision } from "../../../packages/server/src/store/tables/rail-records/rail-differences.ts";
import { scratchDirectory } from "./file-side.ts";
import { useDatabase } from "../../support/database/database.ts";
import { queryRows, runStatements } from "../../support/database/with-client.ts";

const database = await useDatabase();
after(() => database.drop());
const pool = createAdminPool(database.ownerUrl, 4);
after(() => pool.end());
const clock = createClock();
const records = railRecords({ cell: 0, pool, adminPool: pool, clock }, "skn");
const decide = (referenceNo: string, decision: DifferenceDecision, rail: RailName = "skn") =>
  decideOnDifference(pool, rail, { referenceNo, decision, reason: "a mail", at: clock.real() });
const ahead = (referenceNo: string, sequence: number) =>
  ({ referenceNo, sequence, kind: "ahead", line: "{}", place: { file: "f", line: 1 } }) as const;
const behind = (referenceNo: string, sequence: number) =>
  ({ referenceNo, sequence, kind: "behind", line: "{}" }) as const;
const written = (referenceNo: string, sequence: number, state = "null") =>
  `insert into rail_instructions (rail, reference_no, terms, valid_until, sequence, written_at, state)
    values ('skn', '${referenceNo}', '{}', now(), ${sequence}, now(), ${state})`;

test("a difference is listed once, decided on once, and never changed or forgotten", async () => {
  await runStatements(database.ownerUrl, ["insert into rail_leases (rail) values ('skn')", written("B1", 1)]);
  for (let times = 0; times < 2; times += 1) await records.recordDifferences([ahead("A1", 8), behind("B1", 1)]);
  assert.equal((await records.listDifferences(0)).length, 2);
  const wrong = await decide("A1", "export_again");
  assert.equal(wrong.ok ? "" : wrong.rejection.kind, "otherKind");
  const both = await Promise.all([decide("A1", "not_carried"), decide("A1", "not_carried")]);
  assert.ok(both.every(({ ok }) => ok));
  const later = await decide("A1", "adopted");
  assert.equal(later.ok ? "" : later.rejection.kind, "decided");
  const missing = await decide("A9", "not_carried");
  assert.equal(missing.ok ? "" : missing.rejection.kind, "notListed");
  await records.recordDifferences([ahead("A1", 8)]);
  assert.equal((await records.listDifferences(0)).length, 2);
  const statements = [
    "update rail_differences set reason = 'x' where reference_no = 'A1'",
    "update rail_differences set line = 'x' where reference_no = 'B1'",
    "delete from rail_differences where reference_no = 'A1'",
    "insert into rail_differences (rail, reference_no, sequence, kind, line, found_at, decision, reason, decided_at) values ('skn', 'B2', 2, 'behind', '{}', now(), 'carried', 'x', now())",
  ];
  for (const statement of statements)
    await assert.rejects(runStatements(database.ownerUrl, [statement]), /decided on once/, statement);
  await records.forgetFoundAgain(["A1", "B1"]);
  assert.deepEqual(
    (await records.listDifferences(0)).map(({ referenceNo }) => referenceNo),
    ["A1"],
  );
});

test("an open line that the database has forgotten keeps its rail from being opened; the service's role decides nothing", async () => {
  await records.recordDifferences([ahead("A2", 9)]);
  const open = "update rail_leases set ahead_since = null, stopped_because = null where rail = 'skn'";
  await assert.rejects(runStatements(database.ownerUrl, [open]), /is opened once/);
  const goesOn = "update rail_leases set stopped_because = null where rail = 'skn'";
  await assert.rejects(runStatements(database.ownerUrl, [goesOn]), /check constraint/);
  const byService = "update rail_differences set decision = 'not_carried', reason = 'x', decided_at = now()";
  await assert.rejects(runStatements(database.url, [byService]), /permission denied/);
  await decide("A2", "not_carried");
  await runStatements(database.ownerUrl, [open]);
});

test("an instruction counts as unwritten only by the decision to export it again, and not once its result is known", async () => {
  await runStatements(database.ownerUrl, [written("B3", 3), written("B4", 4, "'settled'")]);
  const unwritten = "update rail_instructions set written_at = null where reference_no = 'B3'";
  await assert.rejects(runStatements(database.ownerUrl, [unwritten]), /keeps its number/);
  await records.recordDifferences([behind("B3", 3), behind("B4", 4)]);
  const reported = await decide("B4", "export_again");
  assert.equal(reported.ok ? "" : reported.rejection.kind, "ended");
  assert.ok((await decide("B3", "export_again")).ok);
  assert.ok((await decide("B4", "carried")).ok);
  const rows = await queryRows(
    database.ownerUrl,
    "select reference_no as no, written_at is null as waits from rail_instructions where sequence > 2 order by 1",
  );
  assert.deepEqual(rows, [
    { no: "B3", waits: true },
    { no: "B4", waits: false },
  ]);
});

test("a line that cannot be written back is carried: nothing goes out under its key, and the directory agrees again", async () => {
  const ofRtgs = railRecords({ cell: 0, pool, adminPool: pool, clock }, "rtgs");
  const { ledgerId } = await ofRtgs.origin();
  const terms = { amount: "1.00", currency: "IDR", beneficiaryBankCode: "014", beneficiaryAccountNo: "7" };
  const lineOf = (referenceNo: string, sequence: number, idempotencyKey: string) =>
    JSON.stringify({
      referenceNo,
      idempotencyKey,
      ...terms,
      details: {},
      sequence,
      ledgerId,
      validUntil: "2026-11-21T10:00:05+07:00",
    });
  const lines = [lineOf("C1", 21, "K1"), lineOf("C2", 22, "K2"), lineOf("C3", 23, "K3"), lineOf("C4", 24, "K4")];
  const row = (referenceNo: string, key: string, more: string) =>
    `insert into rail_instructions (rail, reference_no, idempotency_key, terms, valid_until, sequence, written_at)
      values ('rtgs', '${referenceNo}', '${key}', '{"referenceNo":"${referenceNo}"}', now(), ${more})`;
  await runStatements(database.ownerUrl, [
    row("R1", "K1", "null, null"),
    // A database that went on beside a lost directory.
    row("R2", "K2", "13, now()"),
    row("R3", "K9", "23, now()"),
  ]);
  const directory = scratchDirectory();
  writeFileSync(join(directory, "instructions-2026-11-21-000001.jsonl"), `${lines.join("\n")}\n`);
  const review = () => reviewDirectory({ directory, records: ofRtgs, now: clock.now(), isWhole: true, isHolder: true });
  assert.equal((await review()).counts.ahead, 4);
  const forged =
    "update rail_differences set decision = 'carried', reason = 'x', decided_at = now() where reference_no = 'C1'";
  await assert.rejects(runStatements(database.ownerUrl, [forged]), /carried together with its instruction/);
  for (const number of ["C1", "C2", "C3"])
    assert.deepEqual(await decide(number, "carried", "rtgs"), { ok: true, value: true });
  assert.ok((await decide("C4", "not_carried", "rtgs")).ok);
  assert.ok((await decide("C1", "carried", "rtgs")).ok);
  assert.ok(!(await decide("C4", "carried", "rtgs")).ok);
  const kept = await queryRows(
    database.ownerUrl,
    `select reference_no as no, idempotency_key as key, sequence::int from rail_instructions
      where reference_no ~ '^(C|R1)' and written_at = '2026-11-21T10:00:05+07:00' order by 1`,
  );
  assert.deepEqual(kept, [
    { no: "C1", key: "K1", sequence: 21 },
    { no: "C2", key: null, sequence: 22 },
    { no: "C3", key: "K3", sequence: null },
  ]);
  const { counts } = await review();
  assert.deepEqual([counts.ahead, counts.edited, counts.agrees, counts.decided], [0, 0, 2, 2]);
  const waiting = "select from rail_instructions where reference_no in ('R1', 'C4')";
  assert.deepEqual(await queryRows(database.ownerUrl, waiting), []);
  const behindly =
    "update rail_differences set decision = 'not_carried', reason = 'x', decided_at = now() where kind = 'behind' and decision is null";
  await assert.rejects(runStatements(database.ownerUrl, [behindly]), /rail_differences_decision/);
});

test("a rail is opened behind every line that was decided on, though its file is gone", async () => {
  await runStatements(database.ownerUrl, ["insert into rail_leases (rail, sequence) values ('interbank', 12)"]);
  const gone = railRecords({ cell: 0, pool, adminPool: pool, clock }, "interbank");
  await gone.recordDifferences([ahead("G1", 40)]);
  const open = () => openRailDirectory({ adminPool: pool, clock }, "interbank", 15);
  assert.equal(await open(), undefined);
  assert.ok((await decide("G1", "not_carried", "interbank")).ok);
  assert.equal(await open(), 40);
});
