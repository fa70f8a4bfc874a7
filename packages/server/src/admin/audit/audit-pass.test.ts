/** Shared passes of sessions, and the fate of slices that are not read in time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../store/audit/finding.ts";
import type { AuditSession } from "../../store/audit/session.ts";
import type { SizedSlice } from "../../store/audit/slices.ts";
import { type Pass, type PassOptions, runPass } from "./audit-pass.ts";

const idOf = (row: number) => String(row).padStart(4, "0");
const rowsMost = 1_000;
const pass: Pass = { pass: "journals", from: idOf(0), to: idOf(500), touched: false };
const finding: Finding = { check: "a check", subject: "an id", expected: "1", found: "2" };
const overdue = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

/** Over rows 1 to 1,000, each with its number as its id. */
function sessionOf(check: (slice: SizedSlice) => Promise<readonly Finding[]>) {
  const next = async (from: string, end: string, size: number): Promise<SizedSlice> => {
    const last = Number(from) + size;
    const to = last >= Math.min(rowsMost, Number(end) || rowsMost) ? end : idOf(last);
    return { pass: "journals", from, to, rows: Math.min(last, rowsMost) - Number(from) };
  };
  return { slices: () => ({ next }), check } as unknown as AuditSession;
}

const run = (sessions: readonly AuditSession[], options: Partial<PassOptions> = {}) =>
  runPass(sessions, pass, { limit: 1, sliceRows: 1_000, onChecked: () => true, ...options });

test("parts of a slice that is not read in time join up, and end with the pass", async () => {
  const read: SizedSlice[] = [];
  const session = sessionOf(async (slice) => {
    if (slice.rows > 200) throw overdue;
    read.push(slice);
    return [];
  });
  await run([session]);
  let reached = pass.from;
  for (const { from, to } of read) {
    assert.equal(from, reached);
    reached = to;
  }
  assert.ok(reached >= pass.to && Number(reached) < 750, reached);
});

test("sessions read each row once, and one that fails fails the pass", async () => {
  const counts = new Map<string, number>();
  const count = async ({ from }: SizedSlice) => {
    counts.set(from, (counts.get(from) ?? 0) + 1);
    return [];
  };
  await run([sessionOf(count), sessionOf(count)], { sliceRows: 100 });
  assert.deepEqual(
    [...counts],
    [0, 100, 200, 300, 400].map((row) => [idOf(row), 1]),
  );
  const fails = sessionOf(() => Promise.reject(new Error("the connection is lost")));
  await assert.rejects(run([sessionOf(count), fails], { sliceRows: 100 }), /the connection is lost/);
});

test("where enough was found, a session that fails in its last slice does not count", async () => {
  const found = Promise.withResolvers<void>();
  const finds = sessionOf(async () => [finding]);
  const fails = sessionOf(() => found.promise.then(() => Promise.reject(new Error("the connection is lost"))));
  const onChecked: PassOptions["onChecked"] = () => {
    found.resolve();
    return false;
  };
  await run([finds, fails], { sliceRows: 100, onChecked });
});

test("a slice that is small already and not read in time is an error that says what to do", async () => {
  await assert.rejects(run([sessionOf(() => Promise.reject(overdue))]), /not even a small slice .* Try again later/);
});
