// Many accounts that move to a cell that hangs: those that are there stay after a minute, those that have left wait.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { leaveAccount } from "../../packages/server/src/store/tables/cells/account-moves.ts";
import { listMovedAccounts } from "../../packages/server/src/store/tables/cells/moved-accounts.ts";
import { createAccountMover } from "../../packages/server/src/transit/account-mover.ts";
import type { MovingCell } from "../../packages/server/src/transit/move-deps.ts";
import { partner } from "../engine/transfers.ts";
import { eventually } from "../support/black-box/answers.ts";
import { joinMovers } from "./movers.ts";
import { spoil } from "./transit-fixture.ts";

const { announce, cells, forget, home, mover, statuses, world } = await joinMovers();
after(() => cells[Symbol.asyncDispose]());

// Their numbers are before those of the other accounts.
const staying = Array.from({ length: 60 }, (_, index) => `0${101 + index}`);
await spoil(
  cells.of(0).ownerUrl,
  `insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, balance, version, minimum_balance, opened_at)
   select gen_random_uuid(), no, 'holder', 'IDR', 'customer', 'S', 'active', array['${partner}']::uuid[], 0, 0, 0, now()
     from unnest('{${staying.join()}}'::text[]) no`,
);

/** A node, and the times at which moves have ended for it, by its clock (ms). */
function nodeWith(confirmed: MovingCell["confirmed"]) {
  const { deps, refresh } = mover();
  const endedAt: number[] = [];
  const one = createAccountMover({
    ...deps,
    cell: (number) => (number === 1 ? { ...cells.of(1), confirmed } : deps.cell(number)),
    onEnd: () => void endedAt.push(world.monotonic),
  });
  return { deps, endedAt, one, refresh };
}

test("accounts that move to a cell that hangs stay after a minute, and those that have left wait for it", async () => {
  const left = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  for (const accountNo of staying) await announce(accountNo, 1);
  for (const accountNo of left) {
    await forget(accountNo);
    await leaveAccount(home, { accountNo, number: await announce(accountNo, 1) }, 1);
  }
  let hangs = true;
  const { deps, endedAt, one, refresh } = nodeWith(async (work) => {
    if (!hangs) return work();
    // Eight are asked at once, each for 3 s.
    world.monotonic += 3_000 / 8;
    throw new Error("timeout exceeded when trying to connect");
  });
  await refresh();
  await one.run();
  world.monotonic = 59_000;
  assert.equal(endedAt.length, 0);
  const runUntil = (size: number) =>
    eventually(async () => {
      await one.run().catch(() => undefined);
      return deps.moving().size === size;
    }, 20);
  await runUntil(left.length);
  // The look that began before the minute was over, and that of the next pass.
  assert.ok(Math.max(...endedAt) <= 66_000, String(Math.max(...endedAt)));
  const rows = (await listMovedAccounts(home, "", 1_000)).filter(({ refusal }) => refusal === "cell 1 does not answer");
  assert.deepEqual(rows.map(({ accountNo }) => accountNo).toSorted(), staying);
  assert.deepEqual(await statuses("0101"), ["active", undefined]);
  hangs = false;
  await runUntil(0);
  for (const accountNo of left) assert.deepEqual(await statuses(accountNo), ["moved", "active"]);
});

test("each account is looked at in a cell that answers some", async () => {
  for (const accountNo of staying) await announce(accountNo, 1);
  let asked = 0;
  const { deps, one, refresh } = nodeWith(async (work) => {
    asked += 1;
    if (asked % 2 === 0) throw new Error("Connection terminated unexpectedly");
    return work();
  });
  await refresh();
  await one.run();
  await eventually(() => asked === staying.length, 20);
  assert.equal(deps.moving().size, staying.length, "and none is given up");
});
