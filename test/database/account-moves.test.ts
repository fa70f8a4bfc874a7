// Moves of accounts at the database's door (0062-account-moves.sql): when one begins, when an account stays, and steps at once.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import { leave, receive } from "../support/database/account-steps.ts";
import { duringOpen } from "../support/database/during-open.ts";
import { ask, propose } from "../support/database/operators.ts";
import { insertRow, type Row, type Table, validRows } from "../support/database/valid-rows.ts";
import { queryRows, runStatements, withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
const { ownerUrl } = database;
after(() => database.drop());
await runStatements(ownerUrl, [
  `insert into cells values (1, '[{"from": "5000", "to": "5999"}]', now(), 1), (2, '[{"from": "6000", "to": "6999"}]', now(), 1)`,
  // Steps are those of a further cell, where nothing is announced.
  `insert into service_state values ('cell', '{"installation":"ours","number":3}')`,
]);

let count = 1_000;
async function open(of: Row = {}): Promise<{ readonly id: string; readonly accountNo: string }> {
  count += 1;
  const row = { ...validRows.accounts(), account_no: String(count), purpose: "customer", minimum_balance: 3, ...of };
  await withClient(ownerUrl, (client) => insertRow(client, "accounts", row));
  return { id: String(row.id), accountNo: String(row.account_no) };
}
const insert = (table: Table, row: Row) =>
  withClient(ownerUrl, (client) => insertRow(client, table, { ...validRows[table](), ...row }));

/** Proposed and applied; answers `done`, or why not. */
async function announce(accountNo: string, from: number, to: number): Promise<string> {
  const act = newId();
  await queryRows(ownerUrl, propose(act, accountNo, "accountMove", { from, to }));
  const [state = ""] = await ask(ownerUrl, `select apply_act('${act}')`);
  const because = `select result ->> 'found' from act_steps where act_id = '${act}' and outcome is not null`;
  return state === "done" ? state : ((await ask(ownerUrl, because))[0] ?? "");
}

const arrive = (accountNo: string, move: number, sent = 0) =>
  `select arrive_account('${accountNo}', ${move}, 'transit:in:IDR:01', ${sent}, 7, 8, 9)`;
const statusOf = async (accountNo: string) =>
  (await ask(ownerUrl, `select status from accounts where account_no = '${accountNo}'`))[0];

test("a move begins for an account of a cell that home lists, once, and not for a merchant's", async () => {
  const { accountNo } = await open();
  const places = `select cell, moving_to, refusal, number > 1000000000000 from moved_accounts where account_no = '${accountNo}'`;
  assert.equal(await announce(accountNo, 0, 7), "home does not list both cells");
  assert.equal(await announce(accountNo, 0, 0), `account ${accountNo} is in cell 0`);
  assert.equal(await announce(accountNo, 0, 1), "done");
  assert.deepEqual(await ask(ownerUrl, places), ["0", "1", "null", "true"]);
  assert.deepEqual(await ask(ownerUrl, "select breaking from migrations where number = 62"), ["true"]);
  assert.equal(await announce(accountNo, 0, 2), `account ${accountNo} is moving to cell 1 already`);
  const [move] = await ask(ownerUrl, `select number from moved_accounts where account_no = '${accountNo}'`);
  const finish = (number: unknown, cell: number, why: string | null) =>
    ask(ownerUrl, `select finish_move('${accountNo}', ${number}, ${cell}, ${why === null ? "null" : `'${why}'`})`);
  assert.deepEqual(await finish(Number(move) - 1, 1, null), ["false"]);
  assert.deepEqual(await finish(move, 2, null), ["false"], "another cell");
  assert.deepEqual(await finish(move, 0, "it stays"), ["true"]);
  for (const cell of [0, 1]) assert.deepEqual(await finish(move, cell, "again"), ["false"], "it has ended");
  assert.deepEqual(await ask(ownerUrl, places), ["0", "null", "it stays", "true"]);
  const hasMoved = `select has_moved from moved_accounts where account_no = '${accountNo}'`;
  assert.deepEqual(await ask(ownerUrl, hasMoved), ["false"]);
  assert.equal(await announce(accountNo, 1, 2), `account ${accountNo} is in cell 0`);
  assert.equal(await announce(accountNo, 0, 2), "done");
  assert.deepEqual(await ask(ownerUrl, places), ["0", "2", "null", "true"]);
  const [later] = await ask(ownerUrl, `select number from moved_accounts where account_no = '${accountNo}'`);
  assert.ok(Number(later) > Number(move));
  assert.deepEqual(await finish(later, 2, null), ["true"]);
  assert.deepEqual(await ask(ownerUrl, hasMoved), ["true"]);
  for (const column of ["settlement_account_id", "payer_account_id"]) {
    const account = await open();
    const settlement = column === "payer_account_id" ? newId() : account.id;
    await runStatements(ownerUrl, [
      `insert into partners values (gen_random_uuid(), '${column}', '${column}', 'Shop', 'active', 'asymmetric', '95221', '{}', 1, now())`,
      `insert into merchants select gen_random_uuid(), id, 'M-1', 'SPBU', 'active', '${settlement}',
        ${column === "payer_account_id" ? `'${account.id}'` : "null"}, '{}', 1, now() from partners where partner_id = '${column}'`,
    ]);
    assert.match(await announce(account.accountNo, 0, 1), /is a merchant's/);
  }
});

test("an account stays while it is in use, and is left once", async () => {
  const inUse: readonly (readonly [why: RegExp, of: Row, use?: (id: string) => Promise<unknown>])[] = [
    [/is closed$/, { status: "closed" }],
    [/something is held/, { balance: 10, held: 5 }],
    [/a transfer from account/, {}, (id) => insert("transfers", { source_account_id: id })],
    [/a transfer from account/, {}, (id) => insert("bulks", { source_account_id: id })],
    [
      /is asked to pay/,
      {},
      (id) => insert("payment_requests", { payer_account_id: id, expires_at: "2099-01-01T00:00:00Z" }),
    ],
  ];
  for (const [why, of, use] of inUse) {
    const { id, accountNo } = await open({ minimum_balance: 0, ...of });
    await use?.(id);
    await assert.rejects(ask(ownerUrl, leave(accountNo, 5)), why);
  }
  const { accountNo } = await open({ balance: 10 });
  await insert("open_acts", { target: accountNo });
  await assert.rejects(ask(ownerUrl, leave(accountNo, 5)), /an act on account .* is open/);
  await runStatements(ownerUrl, [`delete from open_acts where target = '${accountNo}'`]);
  await assert.rejects(ask(ownerUrl, leave("9999", 5)), /there is no account 9999/);
  for (let times = 0; times < 2; times += 1) await ask(ownerUrl, leave(accountNo, 5));
  const kept = `select moved_to, arrives_from, number, status, minimum_balance from account_moves where account_no = '${accountNo}'`;
  assert.deepEqual(await ask(ownerUrl, kept), ["1", "null", "5", "active", "3"]);
  await assert.rejects(ask(ownerUrl, leave(accountNo, 4)), /the move of account .* is over/);
  await assert.rejects(ask(ownerUrl, leave(accountNo, 6)), /is moved/);
});

test("a move that was given up is given up for every node, and one that was made is not", async () => {
  const { accountNo } = await open({ balance: 10 });
  const stay = (of: string, move: number) => ask(ownerUrl, `select stay_account('${of}', ${move})`);
  for (let times = 0; times < 2; times += 1) assert.deepEqual(await stay(accountNo, 5), ["true"]);
  await assert.rejects(ask(ownerUrl, leave(accountNo, 5)), /the move of account .* is over/);
  await ask(ownerUrl, leave(accountNo, 6));
  assert.deepEqual(await stay(accountNo, 6), ["false"], "it has left");
  assert.deepEqual(await stay(accountNo, 8), ["true"], "it has left by an earlier move");
  const kept = `select number, moved_to, refused from account_moves where account_no = '${accountNo}'`;
  assert.deepEqual(await ask(ownerUrl, kept), ["6", "1", "8"]);
  assert.deepEqual(await stay("9998", 5), ["true"], "there is no such account");
  await ask(ownerUrl, receive(accountNo, 7));
  assert.deepEqual(await stay(accountNo, 9), ["true"], "it is arriving");
  assert.deepEqual(await stay(accountNo, 8), ["true"], "late");
  await ask(ownerUrl, arrive(accountNo, 7));
  assert.equal(await statusOf(accountNo), "active");
  await assert.rejects(ask(ownerUrl, leave(accountNo, 9)), /the move of account .* is over/);
  await ask(ownerUrl, leave(accountNo, 10));
  const other = await open({ balance: 10 });
  const given = await duringOpen(ownerUrl, [leave(other.accountNo, 5)], `select stay_account('${other.accountNo}', 5)`);
  assert.deepEqual(given.status === "fulfilled" && given.value, ["false"], "another node had it leave");
});

test("an account on which something is being held stays", async () => {
  const { id, accountNo } = await open({ balance: 10 });
  const left = await duringOpen(ownerUrl, [`update accounts set held = 5 where id = '${id}'`], leave(accountNo, 5));
  assert.match(String(left.status === "rejected" && left.reason), /something is held/);
  assert.equal(await statusOf(accountNo), "active");
});

test("an account comes by its number, or where it was before, and not in the place of another", async () => {
  const { accountNo } = await open({ balance: 10 });
  await assert.rejects(ask(ownerUrl, receive(accountNo, 6)), /has another account/);
  await ask(ownerUrl, leave(accountNo, 6));
  await assert.rejects(ask(ownerUrl, receive(accountNo, 7, { currency: "USD" })), /has another account/);
  await ask(ownerUrl, receive(accountNo, 5));
  assert.equal(await statusOf(accountNo), "moved", "by an earlier move");
  for (let times = 0; times < 2; times += 1) await ask(ownerUrl, receive(accountNo, 7, { name: "Dewi" }));
  const row = `select name, status, minimum_balance from accounts where account_no = '${accountNo}'`;
  assert.deepEqual(await ask(ownerUrl, row), ["Dewi", "arriving", "0"]);
  assert.deepEqual(await ask(ownerUrl, arrive(accountNo, 6)), ["false"]);
  await assert.rejects(ask(ownerUrl, arrive(accountNo, 7, 1)), /is not here yet/);
  assert.deepEqual(await ask(ownerUrl, arrive(accountNo, 7)), ["true"]);
  assert.deepEqual(await ask(ownerUrl, arrive(accountNo, 7)), ["false"]);
  await ask(ownerUrl, receive(accountNo, 7));
  const use = `select status, daily_debit_date, daily_debit_total, daily_debit_count from accounts where account_no = '${accountNo}'`;
  assert.deepEqual(await ask(ownerUrl, use), ["active", "7", "8", "9"]);
  // A number of a cell's range comes to home by a move alone.
  await assert.rejects(open({ account_no: "5500" }), /one of another cell/);
  await ask(ownerUrl, receive("5500", 8));
  assert.equal(await statusOf("5500"), "arriving");
});

test("a step that waited for the same step of another node changes nothing any more", async () => {
  const { accountNo } = await open();
  await ask(ownerUrl, leave(accountNo, 6));
  const late = await duringOpen(ownerUrl, [receive(accountNo, 7), arrive(accountNo, 7)], receive(accountNo, 7));
  assert.equal(late.status, "fulfilled");
  assert.equal(await statusOf(accountNo), "active");
  await ask(ownerUrl, leave(accountNo, 8));
  await ask(ownerUrl, receive(accountNo, 9));
  const arrived = await duringOpen(ownerUrl, [arrive(accountNo, 9), leave(accountNo, 10)], arrive(accountNo, 9));
  assert.deepEqual(arrived.status === "fulfilled" && arrived.value, ["false"]);
  assert.equal(await statusOf(accountNo), "moved");
});

test("an account that has moved is not changed", async () => {
  const { accountNo } = await open();
  await ask(ownerUrl, leave(accountNo, 6));
  const act = newId();
  const [was, shallBe] = [{ name: "a name" }, { name: "another" }];
  await queryRows(ownerUrl, propose(act, accountNo, "accountChange", shallBe, was));
  assert.deepEqual(await ask(ownerUrl, `select apply_act('${act}')`), ["rejected"]);
  const because = `select result ->> 'found' from act_steps where act_id = '${act}' and outcome is not null`;
  assert.deepEqual(await ask(ownerUrl, because), [`account ${accountNo} is moved`]);
});

test("the consents of an account that has moved are revoked, whichever cell it was in when they were given", async () => {
  const { id, accountNo } = await open();
  await runStatements(ownerUrl, [
    `insert into partners values (gen_random_uuid(), 'P-9', 'P-9', 'Shop', 'active', 'asymmetric', '95221', '{}', 1, now())`,
    ...[id, newId(1)].map(
      (account) => `insert into customer_grants (id, partner, account_id, account_no, generation, hash, expires_at)
        select gen_random_uuid(), id, '${account}', '${accountNo}', 0, sha256('${account}'), now() + interval '1 day' from partners where partner_id = 'P-9'`,
    ),
  ]);
  const act = newId();
  const shallBe = { tokensExpireAt: new Date().toISOString(), accountId: newId(2) };
  await queryRows(ownerUrl, propose(act, accountNo, "grantRevocation", shallBe, undefined, "P-9 x"));
  assert.deepEqual(await ask(ownerUrl, "select count(*) from customer_grants"), ["0"]);
  assert.deepEqual(await ask(ownerUrl, "select count(*) from ended_grants"), ["2"]);
});
