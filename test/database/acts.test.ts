// Operators' acts as the database keeps them: who may take which step, once each, in one chain of hashes.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { rejectAct } from "../../packages/server/src/store/tables/acts.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  ask,
  carryOut,
  dropOperators,
  issuer,
  other,
  person,
  propose,
  refuse,
  security,
  steps,
  useBank,
} from "../support/database/operators.ts";
import { administrationUrlOf, roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements, withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

test("an act is ended though others keep the chain of acts for longer than one statement waits for it", async () => {
  const id = newId();
  const url = administrationUrlOf(database.url);
  await ask(url, propose(id, "1003"));
  const pool = createAdminPool(database.url, 1);
  after(() => pool.end());
  await withClient(database.ownerUrl, async (client) => {
    await client.query("begin");
    await client.query("select from act_chain for update");
    const ended = rejectAct(pool, id, { found: "nothing to do" });
    await Promise.race([ended, sleep(500)]);
    await client.query("rollback");
    await ended;
  });
  assert.deepEqual(await ask(url, propose(id, "1003")), ["rejected"]);
});

test("while nobody is in charge an act is approved by itself, and not any more once there are operators", async () => {
  const url = administrationUrlOf(database.url);
  const id = newId();
  assert.deepEqual(await ask(url, propose(id)), ["approved"]);
  assert.deepEqual(await steps(url, id), ["proposed database titian_admin", "approved titian setup"]);
  assert.deepEqual(await ask(url, propose(id)), ["approved"], "the same id is the same act");
  await queryRows(database.url, carryOut(id));
  assert.deepEqual(await ask(url, propose(id)), ["done"]);
  await queryRows(url, propose(newId(), "1002"));
  await assert.rejects(useBank(database.ownerUrl), /acts are open that nobody has approved/);
  await runStatements(database.ownerUrl, ["delete from open_acts"]);
  await using bank = await useBank(database.ownerUrl);
  await queryRows(roleUrlsOf(bank.url).url, "select 1");
  await assert.rejects(
    queryRows(
      roleUrlsOf(bank.url).url,
      "insert into service_state (name, value) values ('environment', '\"sandbox\"')",
    ),
    /service_state_pkey/,
  );
  await assert.rejects(
    queryRows(roleUrlsOf(bank.url).administrationUrl, propose(newId())),
    /titian_admin is no operator's/,
  );
  await assert.rejects(
    runStatements(bank.ownerUrl, [
      `select bootstrap_operators('${person("Eve", other)}', '${person("Eva", security)}')`,
    ]),
    /has operators/,
  );
});

test("one proposes, another approves, a node carries it out: each step once", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const node = roleUrlsOf(bank.url).url;
  const id = newId();
  await assert.rejects(queryRows(node, carryOut(id)), /is unknown and cannot be carried out/);
  assert.deepEqual(await ask(bank.urlOf(other), propose(id)), ["proposed"]);
  assert.deepEqual(await ask(bank.urlOf(other), propose(newId())), ["proposed"], "it is answered with the first");
  await assert.rejects(queryRows(node, carryOut(id)), /is proposed and cannot be carried out/);
  await assert.rejects(queryRows(bank.urlOf(other), approve(id)), /whoever proposes an act does not approve it/);
  await assert.rejects(queryRows(bank.urlOf(security), approve(id)), /approved by the role approver/);
  await assert.rejects(
    queryRows(bank.urlOf(approver), `select approve_act('${id}', '\\x00')`),
    /not the one that was read/,
  );
  assert.deepEqual(await ask(bank.urlOf(approver), approve(id)), ["approved"]);
  assert.deepEqual(await ask(bank.urlOf(approver), approve(id)), ["approved"], "twice does nothing");
  const [first, second] = await Promise.allSettled([queryRows(node, carryOut(id)), queryRows(node, carryOut(id))]);
  assert.deepEqual([first.status, second.status].toSorted(), ["fulfilled", "rejected"]);
  assert.deepEqual(await steps(node, id), [
    `proposed ${issuer} Budi`,
    `approved ${issuer} Adi`,
    "carried out node titian_app",
  ]);
  assert.deepEqual(await ask(node, "select count(*) from open_acts"), ["0"]);
});

test("a proposal is refused, taken back, or expires, and does nothing then", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const [refused, back, late] = [newId(), newId(), newId()];
  const node = roleUrlsOf(bank.url).url;
  for (const [index, id] of [refused, back, late].entries()) {
    const lifetime = id === late ? "1 millisecond" : "1 day";
    await queryRows(bank.urlOf(other), propose(id, `100${index}`).replace("1 day", lifetime));
  }
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(refused)), ["refused"]);
  assert.deepEqual(await ask(bank.urlOf(other), refuse(back)), ["refused"]);
  assert.deepEqual(await ask(bank.urlOf(approver), approve(late)), ["expired"]);
  assert.deepEqual(await ask(node, "select expire_acts()"), ["0"]);
  for (const id of [refused, back, late]) {
    assert.notDeepEqual(await ask(bank.urlOf(approver), approve(id)), ["approved"]);
    await assert.rejects(queryRows(node, carryOut(id)), /cannot be carried out/);
  }
  assert.deepEqual(await ask(node, "select count(*) from open_acts"), ["0"]);
});

test("an approved act that no node has carried out is taken back, by its proposer or an approver", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  for (const by of [other, approver]) {
    const id = newId();
    await queryRows(bank.urlOf(other), propose(id));
    await queryRows(bank.urlOf(approver), approve(id));
    await assert.rejects(queryRows(bank.urlOf(security), refuse(id)), /approved by the role approver/);
    assert.deepEqual(await ask(bank.urlOf(by), refuse(id)), ["rejected"]);
    await assert.rejects(queryRows(roleUrlsOf(bank.url).url, carryOut(id)), /is rejected and cannot be carried out/);
  }
});

test("an act is carried out with the entries that were approved, and no others", async () => {
  const id = newId();
  const url = administrationUrlOf(database.url);
  await queryRows(url, propose(id, "1005"));
  await assert.rejects(queryRows(database.url, carryOut(id, "1006")), /approved for other entries/);
  const nothing = `select carry_out_act('${id}', 'done', null, null, null, null)`;
  await assert.rejects(queryRows(database.url, nothing), /moves money, or is not done/);
  await queryRows(database.url, carryOut(id, "1005"));
  const elsewhere = propose(newId(), "1006").replace("1006 -100", "1007 -100");
  await assert.rejects(queryRows(url, elsewhere), /is about another account/);
  await assert.rejects(queryRows(url, propose(newId()).replace("a reason", "a\u001breason")), /no control characters/);
});

test("steps are written by these functions alone, and are never changed", async () => {
  const { url } = database;
  const administrationUrl = administrationUrlOf(url);
  for (const denied of [
    "insert into act_steps select * from act_steps",
    "update act_chain set position = 0",
    "delete from open_acts",
    "insert into acts select * from acts",
    "insert into operators select * from operators",
    "insert into operator_roles select * from operator_roles",
    "update act_rights set role = 'viewer'",
    "select add_act_step(s) from act_steps s",
    `select add_act_approval('${newId()}', 'me', 'you')`,
    "select decide_act(null, null, true, null)",
    "select bootstrap_operators('{}', '{}')",
    "select add_operator('{}', 'approver')",
  ])
    for (const by of [url, administrationUrl]) await assert.rejects(queryRows(by, denied), /permission denied/, denied);
  await assert.rejects(queryRows(url, propose(newId())), /permission denied for function propose_act/);
  for (const kept of ["update act_steps set reason = 'other'", "delete from act_steps", "truncate act_steps"])
    await assert.rejects(queryRows(database.ownerUrl, kept), /never changed or deleted/);
  await assert.rejects(
    queryRows(
      database.ownerUrl,
      `insert into acts (id, kind, reason, journal_id, entries, at)
      values ('${newId()}', 'opening', 'old release', '${newId()}', '', now())`,
    ),
    /written by the functions of this release/,
  );
  await assert.rejects(queryRows(administrationUrl, propose(newId(), "1", "theft")), /no act of the kind theft/);
});

test("nobody holds two roles that exclude each other, and a database never changes its environment", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator", "viewer");
  const grant = (role: string) =>
    `insert into operator_roles select id, '${role}' from operators where subject = 'Budi'`;
  await assert.rejects(queryRows(bank.ownerUrl, grant("auditor")), /auditor cannot be held together/);
  await queryRows(bank.ownerUrl, grant("approver"));
  await assert.rejects(queryRows(bank.ownerUrl, grant("security")), /security cannot be held together/);
  await assert.rejects(queryRows(bank.ownerUrl, grant("king")), /operator_roles_role_check/);
  await assert.rejects(queryRows(bank.ownerUrl, grant("approver")), /operator_roles_pkey/);
  const { url } = roleUrlsOf(bank.url);
  await assert.rejects(
    queryRows(url, "update service_state set value = '\"sandbox\"' where name = 'environment'"),
    /environment of a database is never changed/,
  );
});

test("one person at two doors, or under a new name, is one operator", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator", "approver");
  const id = newId();
  await queryRows(bank.urlOf(other), propose(id));
  // The directory gives the person another role of PostgreSQL.
  await runStatements(bank.ownerUrl, [
    "update operators set database_role = null where subject = 'Adi'",
    `update operators set database_role = '${approver}', name = 'B.' where subject = 'Budi'`,
  ]);
  await assert.rejects(queryRows(bank.urlOf(approver), approve(id)), /whoever proposes an act does not approve it/);
  await assert.rejects(
    runStatements(bank.ownerUrl, [
      `insert into operators values ('${newId()}', '${issuer}', 'Budi', 'Budi again', '${other}')`,
    ]),
    /operators_issuer_subject_key/,
  );
  await assert.rejects(
    runStatements(bank.ownerUrl, [
      `insert into operators values ('${newId()}', '${issuer}', 'Eve', 'Eve', '${approver}')`,
    ]),
    /operators_database_role_key/,
  );
});

test("whoever keeps the chain's lock delays another act by a second, and fails it", async () => {
  await withClient(administrationUrlOf(database.url), async (client) => {
    await client.query("begin");
    await client.query(propose(newId(), "1009"));
    await assert.rejects(queryRows(administrationUrlOf(database.url), propose(newId(), "1010")), /lock timeout/);
    await client.query("rollback");
  });
});
