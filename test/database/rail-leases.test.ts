/** Leases of rails with one writer, and what their holders keep of results: one holder at a time, and nothing that goes back. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { addLease, giveBackLease, takeLease } from "../../packages/server/src/store/tables/rail-records/rail-leases.ts";
import {
  addResultPositions,
  readResultPositions,
  setLineAside,
  writeResultPositions,
} from "../../packages/server/src/store/tables/rail-records/rail-result-files.ts";
import { useJobDatabase } from "../support/database/job-database.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const now = Date.UTC(2026, 10, 23, 3);

async function take(rail: "rtgs" | "skn") {
  const holder = newId();
  await addLease(pool, rail);
  const { fence = 0 } = (await takeLease(pool, { rail, holder, forMs: 30_000 })) ?? {};
  return { rail, holder, fence };
}

const isKept = (error: unknown) => error instanceof Error && "code" in error && error.code === "23001";

test("one instance has the lease: until it gives it back, or it ends, also where the clock went back by hours", async () => {
  const rail = "skn";
  const first = await take(rail);
  await addLease(pool, rail);
  const takeAgain = async () => (await takeLease(pool, { rail, holder: newId(), forMs: 30_000 }))?.fence;
  assert.equal(first.fence, 1);
  assert.equal(await takeAgain(), undefined);
  await giveBackLease(pool, { ...first, fence: 9 });
  await giveBackLease(pool, { ...first, holder: newId() });
  assert.equal(await takeAgain(), undefined);
  await giveBackLease(pool, first);
  assert.equal(await takeAgain(), 2);
  await client.query("update rail_leases set expires_at = clock_timestamp() - interval '1 s'");
  assert.equal(await takeAgain(), 3);
  await client.query("update rail_leases set expires_at = clock_timestamp() + interval '2 h'");
  assert.equal(await takeAgain(), 4);
  for (const change of ["fence = 3", "sequence = sequence - 1"])
    await assert.rejects(
      client.query(`update rail_leases set sequence = 1, fence = 4; update rail_leases set ${change}`),
      isKept,
    );
});

test("positions of results stand in place of those before; those of a directory only where there are none; a line is set aside once", async () => {
  const rail = "rtgs";
  const lease = await take(rail);
  await writeResultPositions(pool, lease, { a: { upTo: 1, beyond: [] }, b: { upTo: 2, beyond: [5] } });
  await writeResultPositions(pool, lease, { b: { upTo: 3, beyond: [7, 9] } });
  await addResultPositions(pool, rail, { b: { upTo: 0, beyond: [] }, c: { upTo: 4, beyond: [] } });
  const expected = { b: { upTo: 3, beyond: [7, 9] }, c: { upTo: 4, beyond: [] } };
  assert.deepEqual(await readResultPositions(pool, rail), expected);
  const line = { file: "a", line: 1, fault: "first", text: "" };
  assert.equal(await setLineAside(pool, rail, line, now), true);
  assert.equal(await setLineAside(pool, rail, { ...line, fault: "second" }, now), false);
  assert.equal(await setLineAside(pool, rail, { ...line, line: 2 }, now), true);
  const { rows } = await client.query("select line::int, fault from rail_result_lines_set_aside order by 1");
  assert.deepEqual(rows, [
    { line: 1, fault: "first" },
    { line: 2, fault: "first" },
  ]);
});
