// A cell that has lost an account which came to it more than once: it is opened by its newest move, once all cells were asked.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { lostAccountsOf } from "../../packages/server/src/transit/lost-accounts.ts";
import type { MoveDeps } from "../../packages/server/src/transit/move-deps.ts";
import { joinCells } from "./joined-cells.ts";
import { asOwner, spoil } from "./transit-fixture.ts";

const cells = await joinCells(3);
after(() => cells[Symbol.asyncDispose]());
const silent = new Set<number>();
const deps = {
  clock: createClock(),
  cell: (number: number) =>
    silent.has(number) ? undefined : { ...cells.of(number), confirmed: (work: () => Promise<never>) => work() },
  cells: () => [0, 1, 2],
  moved: () => new Map([["1", 1]]),
  moving: () => new Map(),
} as Pick<MoveDeps, "cell" | "cells" | "clock" | "moved" | "moving"> as MoveDeps;
const lost = lostAccountsOf(deps, 1);

/** The account has left the cell for cell 1. */
const leave = (cell: number, number: number, status: string, minimum: number) =>
  spoil(
    cells.of(cell).ownerUrl,
    "update accounts set status = 'moved' where account_no = '1'",
    `insert into account_moves (account_no, moved_to, number, status, minimum_balance) values ('1', 1, ${number}, '${status}', ${minimum})`,
  );
const forget = () =>
  spoil(
    cells.of(1).ownerUrl,
    "delete from entries where account_id in (select id from accounts where account_no = '1')",
    "delete from accounts where account_no = '1'",
    "delete from account_moves where account_no = '1'",
  );
const opened = () =>
  asOwner(cells.of(1).ownerUrl, async (client) => {
    const { rows } = await client.query<object>(
      "select arrives_from, number, m.status, m.minimum_balance from account_moves m join accounts using (account_no) where account_no = '1'",
    );
    return rows;
  });

test("it has the terms of the cell that it left last", async () => {
  await leave(0, 3, "active", 0);
  await leave(2, 9, "blocked", 5);
  await forget();
  silent.add(2);
  await assert.rejects(lost.open(["1"]), { name: "CellAway", cell: 2 });
  assert.deepEqual(await opened(), []);
  silent.delete(2);
  for (let times = 0; times < 2; times += 1) await lost.open(["1"]);
  assert.deepEqual(await opened(), [{ arrives_from: 2, number: "9", status: "blocked", minimum_balance: "5" }]);
});
