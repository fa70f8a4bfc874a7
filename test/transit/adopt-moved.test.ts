// A cell that is restored to a moment between two steps of a move: its account has the money again, and pays what is written back.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../packages/server/src/admin/audit/compare-transit.ts";
import { adoptLostPayments } from "../../packages/server/src/admin/cells/adopt-transit.ts";
import { createRelocateMoved } from "../../packages/server/src/transit/relocate-account.ts";
import { startNode } from "../support/administration.ts";
import { eventually } from "../support/black-box/answers.ts";
import { valueOf } from "../support/expect.ts";
import { mayGoOn } from "../support/run-job.ts";
import { joinMovers, opening } from "./movers.ts";
import { spoil } from "./transit-fixture.ts";

const { announce, cells, forget, mover, other, runAll } = await joinMovers();
after(() => cells[Symbol.asyncDispose]());
const outNo = "transit:out:IDR:01";

/** Home is as it was before the last entry of its transit account, which came from this account. */
const takeBack = (accountNo: string) => {
  const idOf = (number: string) => `(select id from accounts where account_no = '${number}')`;
  const last = `(select journal_id from entries where account_id = ${idOf(outNo)} order by version desc limit 1)`;
  const undo = (number: string) =>
    `update accounts set version = version - 1, balance = balance
       - (select amount from entries where account_id = ${idOf(number)} and journal_id = ${last}) where account_no = '${number}'`;
  return spoil(
    cells.of(0).ownerUrl,
    undo(accountNo),
    undo(outNo),
    `delete from entries where journal_id = ${last}`,
    // As a restart ends them: sessions remember what accounts were.
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
};

test("what had left an account that moved is not sent a second time", async () => {
  await forget("8");
  await announce("8", 1);
  await runAll(mover());
  assert.deepEqual(await Promise.all([0, 1].map((cell) => cells.balanceIn(cell, "8"))), [0, opening]);
  await takeBack("8");
  assert.equal(await cells.balanceIn(0, "8"), opening);

  await using node = await startNode(cells.of(0).url);
  const { actEngine, database, clock } = node;
  const adopt = () => adoptLostPayments({ cell: 0, actEngine, database, clock }, { cell: 1, pool: other }, "restored");
  assert.equal(valueOf(await adopt()).count, 1);
  const late = mover();
  await late.refresh();
  await eventually(async () => (await createRelocateMoved(late.deps, 0)(mayGoOn).catch(() => undefined)) !== undefined);
  assert.deepEqual(await Promise.all([0, 1].map((cell) => cells.balanceIn(cell, "8"))), [0, opening]);
  assert.equal(await cells.balanceIn(0, "restored:IDR"), 0);
  const pools = [cells.of(0).pool, cells.of(1).pool] as const;
  assert.deepEqual(await compareTransit(...pools, 0, 1), []);
  const { findings } = await runAudit(cells.of(0).ownerUrl);
  assert.deepEqual(
    findings.filter(({ found }) => !found.startsWith("opening: ")),
    [],
  );
});
