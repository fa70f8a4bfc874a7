/** When a node's clock may be acted on (spec D10): compared with the clock of a real database. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createClockCheck } from "../../packages/server/src/jobs/clock-check.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const pool = createAdminPool(database.url, 1);
after(async () => {
  await pool.end();
  await database.drop();
});

/** A node's clock that is wrong by so much, and what was reported of it. */
function fixture() {
  const clock = createClock();
  const wrong = { byMs: 0, elapsedMs: 0 };
  const changes: string[] = [];
  const check = createClockCheck({
    clock: {
      real: () => clock.real() + wrong.byMs + wrong.elapsedMs,
      monotonic: () => clock.monotonic() + wrong.elapsedMs,
    },
    pool,
    onChange: (agrees, differenceMs) => changes.push(`${agrees} ${Math.round(differenceMs / 60_000)}`),
  });
  return { clock, wrong, changes, check };
}

test("a clock that is set shows at once, both ways, and is reported once when it differs and once when it agrees", async () => {
  const { wrong, changes, check } = fixture();
  assert.equal(check.differenceMs(), undefined);
  assert.equal(await check.agrees(), true);
  for (const minutes of [11_520, 11_520, -1]) {
    // Seen by what is left of the comparison before: no other one is needed.
    wrong.byMs = minutes * 60_000;
    assert.equal(await check.agrees(), false);
    assert.equal(Math.round((check.differenceMs() ?? 0) / 60_000), minutes);
  }
  wrong.byMs = 0;
  assert.equal(await check.agrees(), true);
  assert.deepEqual(changes, ["false 11520", "true 0"]);
});

test("a database that takes its time leaves it open: nothing is acted on, and nothing reported", async () => {
  const { wrong, changes, check } = fixture();
  const client = await pool.connect();
  const asked = check.agrees();
  // The only connection is given back when 11 s have passed: the time it then tells may be any of them.
  wrong.elapsedMs = 11_000;
  client.release();
  assert.equal(await asked, false);
  assert.deepEqual(changes, []);
  wrong.elapsedMs += 1_001;
  // The next comparison is of what the database's clock says then, which did not follow.
  assert.equal(await check.agrees(), false);
  assert.deepEqual(changes, ["false 0"]);
});

test("a database that does not answer fails the job", async () => {
  const gone = createAdminPool("postgres://nobody@127.0.0.1:1/none", 1);
  const check = createClockCheck({ clock: createClock(), pool: gone, onChange: () => assert.fail("nothing to tell") });
  await assert.rejects(check.agrees());
  assert.equal(check.differenceMs(), undefined);
  await gone.end();
});
