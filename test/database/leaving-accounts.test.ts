// Accounts leave home by moves that an act has announced, and no merchant's does (0063-guards-of-account-moves.sql).
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import { leave, receive } from "../support/database/account-steps.ts";
import { duringOpen } from "../support/database/during-open.ts";
import { ask } from "../support/database/operators.ts";
import { insertRow, validRows } from "../support/database/valid-rows.ts";
import { runStatements, withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
const { ownerUrl, url } = database;
after(() => database.drop());
await runStatements(ownerUrl, [
  `insert into cells values (1, '[{"from": "5000", "to": "5999"}]', now(), 1)`,
  `insert into partners values (gen_random_uuid(), 'SHOP01', 'SHOP01', 'Shop', 'active', 'asymmetric', '95221', '{}', 1, now())`,
]);

/** One that shall move to cell 1 by the move of that number. */
async function announced(number: number) {
  const row = { ...validRows.accounts(), purpose: "customer" };
  await withClient(ownerUrl, (client) => insertRow(client, "accounts", row));
  const text = `insert into moved_accounts (account_no, cell, moving_to, act_id, number, version) values ('${row.account_no}', 0, 1, '${newId()}', ${number}, 1)`;
  await runStatements(ownerUrl, [text]);
  return { id: row.id, accountNo: row.account_no };
}
const statusOf = async (accountNo: string) =>
  (await ask(ownerUrl, `select status from accounts where account_no = '${accountNo}'`))[0];
const register = (merchant: string, settlement: string, payer: string | null) =>
  `insert into merchants select gen_random_uuid(), id, '${merchant}', 'SPBU', 'active', '${settlement}',
    ${payer === null ? "null" : `'${payer}'`}, '{}', 1, now() from partners where partner_id = 'SHOP01'`;

test("the service's role has no account leave home but by the move that was announced", async () => {
  const { accountNo } = await announced(5);
  for (const [move, to] of [
    [4, 1],
    [6, 1],
    [5, 2],
  ] as const)
    await assert.rejects(ask(url, leave(accountNo, move, to)), /home has announced no such move/);
  assert.equal(await statusOf(accountNo), "active");
  await assert.rejects(ask(url, `select stay_account('${accountNo}', 6)`), /home has announced no such move/);
  await ask(url, leave(accountNo, 5));
  assert.equal(await statusOf(accountNo), "moved");
  assert.deepEqual(await ask(url, `select stay_account('${accountNo}', 5)`), ["false"]);
  // It is moving to cell 1, then it is there, then it shall come back.
  await assert.rejects(ask(url, receive(accountNo, 6)), /home has announced no move/);
  await ask(url, `select finish_move('${accountNo}', 5, 1, null)`);
  await assert.rejects(ask(url, receive(accountNo, 6)), /home has announced no move/);
  await runStatements(ownerUrl, [
    `update moved_accounts set moving_to = 0, number = 7 where account_no = '${accountNo}'`,
  ]);
  await assert.rejects(ask(url, receive(accountNo, 8)), /home has announced no move/);
  await ask(url, receive(accountNo, 7));
  assert.equal(await statusOf(accountNo), "arriving");
});

test("an account of a merchant that was registered since stays, and none is registered with one that has left", async () => {
  for (const isPayer of [false, true]) {
    const { id, accountNo } = await announced(5);
    const place = isPayer ? register("M-payer", newId(), id) : register("M-settlement", id, null);
    const left = await duringOpen(ownerUrl, [place], leave(accountNo, 5));
    assert.match(String(left.status === "rejected" && left.reason), /is a merchant's/);
    assert.equal(await statusOf(accountNo), "active");
    const other = await announced(5);
    const later = isPayer ? register("M-2", newId(), other.id) : register("M-3", other.id, null);
    const registered = await duringOpen(ownerUrl, [leave(other.accountNo, 5)], later);
    assert.match(String(registered.status === "rejected" && registered.reason), /is in another cell/);
  }
});

test("the cell that a database is is written by administration, once", async () => {
  const write = (number: number) =>
    `insert into service_state values ('cell', '{"installation":"ours","number":${number}}')
      on conflict (name) do update set value = excluded.value`;
  await assert.rejects(ask(url, write(1)), /the record of the cell is administration's/);
  for (let times = 0; times < 2; times += 1) await ask(ownerUrl, write(1));
  await assert.rejects(ask(url, write(1)), /is administration's/);
  await assert.rejects(ask(ownerUrl, write(2)), /stays the cell that it is/);
  // A further cell has not got what home has announced.
  const { accountNo } = await announced(5);
  await ask(url, leave(accountNo, 7));
  assert.equal(await statusOf(accountNo), "moved");
});
