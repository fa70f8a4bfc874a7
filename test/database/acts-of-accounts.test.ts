// Acts about accounts at the database's door: their entries, and what they change.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  ask,
  dropOperators,
  other,
  propose,
  refuse,
  useBank,
} from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { insertRow } from "../support/database/valid-rows.ts";
import { queryRows, runStatements, withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

test("a withdrawal, a correction and a move are proposed with entries that come to their amount, on one of their accounts", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const entries = "1001 -100 IDR, funding:IDR 100 IDR";
  const right = { amount: "100", entries };
  for (const kind of ["withdrawal", "correction", "move"]) {
    for (const [shallBe, target, expected] of [
      [{}, "1001", /an act of the kind .* has entries/],
      [{ ...right, entries: "1001 -100 IDR, funding:IDR 1e2 IDR" }, "1001", /has entries/],
      [{ ...right, entries: "1001 -100 IDR, funding:IDR 99 IDR" }, "1001", /do not come to its amount/],
      [{ ...right, entries: "1001 -100 IDR, funding:IDR 100 USD" }, "1001", /do not come to its amount/],
      [{ entries }, "1001", /do not come to its amount/],
      [{ ...right, amount: "99" }, "1001", /do not come to its amount/],
      [right, "1002", /the act on 1002 is about another account/],
      [right, "001", /the act on 001 is about another account/],
    ] as const)
      await assert.rejects(queryRows(bank.urlOf(other), propose(newId(), target, kind, shallBe)), expected);
    assert.deepEqual(await ask(bank.urlOf(other), propose(newId(), "1001", kind, right)), ["proposed"]);
  }
});

const [active, blocked, closed] = [{ status: "active" }, { status: "blocked" }, { status: "closed" }];

/** Account 1001 of Siti, with nothing on it, and what is proposed about it. */
async function useAccount(bank: Awaited<ReturnType<typeof useBank>>) {
  const node = roleUrlsOf(bank.url).url;
  const id = newId();
  await runStatements(bank.ownerUrl, [
    `insert into accounts (id, account_no, name, currency, purpose, type, status, minimum_balance, opened_at)
      values ('${id}', '1001', 'Siti', 'IDR', 'customer', 'S', 'active', 0, now())`,
  ]);
  const account = async (columns = "status") =>
    (await ask(node, `select concat_ws(' ', ${columns}) from accounts where account_no = '1001'`))[0];
  const order = async (kind: string, was: object, shallBe: object, target = "1001") => {
    const act = newId();
    await queryRows(bank.urlOf(other), propose(act, target, kind, shallBe, was));
    return act;
  };
  /** Answers `done`, or why not. */
  const change = async (was: object, shallBe: object, target?: string): Promise<string> => {
    const act = await order("accountChange", was, shallBe, target);
    await queryRows(bank.urlOf(approver), approve(act));
    const [state = ""] = await ask(node, `select apply_act('${act}')`);
    const result = `select result ->> 'found' from act_steps where act_id = '${act}' and outcome is not null`;
    return state === "done" ? state : ((await ask(node, result))[0] ?? "");
  };
  return { id, account, order, change };
}

test("an account is blocked at once, and changed by its approver's refusal or another act", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const { account, order, change } = await useAccount(bank);
  const blocking = await order("blocking", active, blocked);
  assert.equal(await account(), "blocked", "at once");
  assert.equal(await change(blocked, active), "done");
  assert.deepEqual((await ask(bank.ownerUrl, `select act_state('${blocking}')`))[0], "refused", "undone by two others");
  const second = await order("blocking", active, blocked);
  await queryRows(bank.urlOf(approver), refuse(second));
  assert.equal(await account(), "active", "its approver has ended it");
  for (const [was, shallBe] of [
    [{ status: "dormant" }, blocked],
    [active, closed],
    [active, { status: "blocked", name: "X" }],
  ] as const)
    await assert.rejects(order("blocking", was, shallBe), /by now, and was|not blocked by this act/);
  const again = await order("blocking", active, blocked);
  await queryRows(bank.urlOf(approver), approve(again));
  await assert.rejects(order("blocking", blocked, blocked), /not blocked by this act/);
  assert.equal(await change(blocked, active), "done");
});

test("an account is changed once that is approved, and where it is still as it was read", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const { id, account, change } = await useAccount(bank);
  const partner = newId();
  const limits = { perTransaction: "100", dailyCount: 3 };
  const terms = "status, name, limit_per_transfer, limit_daily_count, authorized_partner_ids";
  assert.equal(await change({ limits: {}, partners: [] }, { limits, partners: [partner] }), "done");
  assert.equal(await account(terms), `active Siti 100 3 {${partner}}`);
  assert.match(
    (await change({ limits: {} }, { limits: { daily: "1" } })) ?? "",
    /^the limits of account 1001 is .*by now/,
  );
  assert.match(await change({}, { name: "Other" }), /^the name of account 1001/);
  assert.match(await change(active, { status: "odd" }), /there is no status odd/);
  assert.match(await change({ minimumBalance: "0" }, { minimumBalance: "1" }), /accounts_available/);
  assert.match(await change({ limits }, { limits: { daily: "much" } }), /cannot be read/);
  assert.match(await change({ minimumBalance: "0" }, { minimumBalance: null }), /has a minimum balance/);
  assert.match(await change(active, closed, "1002"), /there is no account 1002/);
  for (const [spoilt, found] of [
    ["balance = 5, version = 1", /money on account/],
    ["balance = 5, held = 5", /is held on account/],
  ] as const) {
    await runStatements(bank.ownerUrl, [`update accounts set ${spoilt} where account_no = '1001'`]);
    assert.match(await change(active, closed), found);
  }
  await runStatements(bank.ownerUrl, ["update accounts set balance = 0, held = 0 where account_no = '1001'"]);
  for (const table of ["transfers", "bulks"] as const) {
    await withClient(bank.ownerUrl, (client) => insertRow(client, table, { source_account_id: id }));
    assert.match(await change(active, closed), /a transfer from account 1001 is under way/);
    await runStatements(bank.ownerUrl, [`delete from ${table}`]);
  }
  // A batch that has the row keeps its money: the closing waits for it.
  await withClient(bank.ownerUrl, async (client) => {
    await client.query("begin; update accounts set balance = 5 where account_no = '1001'");
    const closing = change(active, closed);
    await sleep(100);
    await client.query("commit");
    assert.match(await closing, /money on account/);
  });
  await runStatements(bank.ownerUrl, ["update accounts set balance = 0 where account_no = '1001'"]);
  assert.equal(await change(active, closed), "done");
  assert.match(await change(closed, active), /account 1001 is closed/);
  assert.equal(await account(terms), `closed Siti 100 3 {${partner}}`);
});
