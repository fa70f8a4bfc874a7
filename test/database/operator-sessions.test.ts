// Sessions of operators at the console's door: the database knows whose each statement is, and compares people, not doors.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId, newSecret } from "../../packages/server/src/basics/ids.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createPruneSessions } from "../../packages/server/src/jobs/prune.ts";
import { openConsoleConnections } from "../../packages/server/src/admin/console-connections.ts";
import { asOperator } from "../../packages/server/src/store/postgres/as-operator.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import {
  endOperatorSession,
  listOperatorSessions,
  useOperatorSession,
} from "../../packages/server/src/store/tables/operator-sessions.ts";
import { useDoor } from "../support/database/operator-door.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  ask,
  door,
  dropOperators,
  issuer,
  other,
  people,
  propose,
  refuse,
  security,
} from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const hasEnded = /the session has ended: log in again/;

test("an act is its operator's through each door: the same person does not approve it, another one does", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator", "approver");
  const { run, enter, urlOf } = bank;
  const [budi, again, adi] = [await enter("Budi"), await enter("Budi"), await enter("Adi")];
  const [byDoor, byRole] = [newId(), newId()];
  await run(budi.own, propose(byDoor, "1001"));
  await queryRows(urlOf(other), propose(byRole, "1002"));
  const isOwn = /whoever proposes an act does not approve it/;
  for (const id of [byDoor, byRole]) {
    for (const { own } of [budi, again]) await assert.rejects(run(own, approve(id)), isOwn);
    await assert.rejects(queryRows(urlOf(other), approve(id)), isOwn);
  }
  await run(adi.own, approve(byDoor));
  await queryRows(urlOf(approver), approve(byRole));
  const who = await ask(
    bank.ownerUrl,
    "select distinct who from act_steps where step in ('proposed', 'approved') order by 1",
  );
  assert.deepEqual(who.slice(-3), [`${issuer} Adi`, `${issuer} Budi`, "titian setup"]);
});

test("without a session the door is nobody's, and a session is no other role's", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator");
  const { run, enter, pool, urlOf } = bank;
  await assert.rejects(run(pool, propose(newId())), hasEnded);
  await assert.rejects(run(asOperator(pool, newSecret(32)), propose(newId())), hasEnded);
  const budi = await enter("Budi");
  const [id, mine] = [newId(), newId()];
  await run(budi.own, propose(id));
  // Nothing of it stays on the connections.
  await assert.rejects(run(pool, refuse(id)), hasEnded);
  // An operator with a role of its own is nobody else by a secret.
  const named = `select set_config('titian.session', '${budi.secret}', false)`;
  await runStatements(bank.ownerUrl, [
    `insert into operator_roles select id, 'operator' from operators where subject = 'Sri'`,
  ]);
  await runStatements(urlOf(security), [named, propose(mine, "1003")]);
  assert.deepEqual(await ask(bank.ownerUrl, `select who from act_steps where act_id = '${mine}'`), [`${issuer} Sri`]);
  // Nor does a member of the door's role open one, which would be its own to carry through the door.
  await runStatements(bank.ownerUrl, [`grant ${door} to ${other}`]);
  const open = `select open_operator_session('${issuer}', 'Adi', '\\x${"00".repeat(32)}', 'cli', '::1', true)`;
  await assert.rejects(queryRows(urlOf(other), open), /is no door of operators/);
  await assert.rejects(
    queryRows(urlOf(other), `select use_operator_session('\\x00', true)`),
    /is no door of operators/,
  );
  await assert.rejects(queryRows(roleUrlsOf(bank.url).url, open), /permission denied for function/);
});

test("a session that was ended or expired, is idle, or whose operator has ended approves nothing and is nobody's", async () => {
  await using bank = await useDoor(database.ownerUrl, "approver");
  const { run, enter, pool, ownerUrl } = bank;
  await runStatements(ownerUrl, [
    `insert into operator_roles select id, 'operator' from operators where subject = 'Sri'`,
  ]);
  const id = newId();
  await queryRows(bank.urlOf(security), propose(id));
  const changes: Readonly<Record<string, (sessionId: string) => Promise<unknown>>> = {
    expired: (of) =>
      runStatements(ownerUrl, [
        `update operator_sessions set started_at = now() - interval '11 hours', expires_at = now() - interval '1 second' where id = '${of}'`,
      ]),
    idle: (of) =>
      runStatements(ownerUrl, [
        `update operator_sessions set last_used_at = now() - interval '31 minutes' where id = '${of}'`,
      ]),
    "of an operator who has ended": () =>
      runStatements(ownerUrl, ["update operators set ended_at = now() where subject = 'Budi'"]),
  };
  const ended = await enter("Budi");
  assert.equal(await endOperatorSession(ended.own, ended.sessionId), true);
  await assert.rejects(run(ended.own, approve(id)), hasEnded);
  assert.equal(await useOperatorSession(pool, ended.secret), undefined);
  for (const [name, change] of Object.entries(changes)) {
    const budi = await enter("Budi");
    assert.equal((await useOperatorSession(pool, budi.secret))?.subject, "Budi", name);
    await change(budi.sessionId);
    await assert.rejects(run(budi.own, approve(id)), hasEnded, name);
    assert.equal(await useOperatorSession(pool, budi.secret), undefined, name);
  }
  assert.deepEqual(await listOperatorSessions(pool, { limit: 10 }), []);
  assert.deepEqual(await ask(ownerUrl, `select act_state('${id}')`), ["proposed"]);
  assert.equal((await enter("Budi")).knownAs, "ended");
  assert.equal((await enter("Nobody")).knownAs, "unknown");
});

test("a page that looks again by itself keeps no session open", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator");
  const { enter, ownerUrl, pool } = bank;
  const budi = await enter("Budi");
  const where = `from operator_sessions where id = '${budi.sessionId}'`;
  const isOld = () => ask(ownerUrl, `select last_used_at < now() - interval '20 minutes' ${where}`);
  await runStatements(ownerUrl, ["update operator_sessions set last_used_at = now() - interval '29 minutes'"]);
  assert.equal((await useOperatorSession(pool, budi.secret, { isUse: false }))?.subject, "Budi");
  assert.deepEqual(await isOld(), ["true"]);
  await useOperatorSession(pool, budi.secret);
  assert.deepEqual(await isOld(), ["false"]);
});

test("approvals need a second factor at the door, but of what was done at once; other steps where the table says so", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator", "approver");
  const { run, enter, ownerUrl } = bank;
  const [budi, adi, strongAdi] = [await enter("Budi", false), await enter("Adi", false), await enter("Adi")];
  const [money, closing, next] = [newId(), newId(), newId()];
  const closes = propose(closing, "service:17", "closing");
  await run(budi.own, propose(money));
  await run(budi.own, closes);
  await assert.rejects(run(adi.own, approve(money)), /of the kind funding is approved with a second factor/);
  await run(adi.own, approve(closing));
  await run(strongAdi.own, approve(money));
  await runStatements(ownerUrl, [
    "update act_rights set needs_second_factor = true where kind = 'funding' and step = 'proposed'",
  ]);
  await assert.rejects(run(budi.own, propose(next)), /of the kind funding is proposed with a second factor/);
  // The directory authenticates at the database's own door.
  await queryRows(bank.urlOf(other), propose(next));
});

test("a session is ended by its operator or by the role security, and noted once a minute while it is used", async () => {
  await using bank = await useDoor(database.ownerUrl, "viewer");
  const { enter, pool, ownerUrl } = bank;
  const [budi, adi, sri] = [await enter("Budi", false), await enter("Adi"), await enter("Sri")];
  const list = async (operatorId?: string) =>
    (await listOperatorSessions(pool, { operatorId, limit: 10 })).map(({ subject }) => subject);
  const { operatorId } = (await useOperatorSession(pool, budi.secret)) ?? assert.fail();
  assert.deepEqual([await list(), await list(operatorId)], [["Sri", "Adi", "Budi"], ["Budi"]]);
  await assert.rejects(endOperatorSession(adi.own, budi.sessionId), /somebody else is ended by the role security/);
  await assert.rejects(endOperatorSession(adi.own, newId()), /there is no session/);
  assert.equal(await endOperatorSession(adi.own, adi.sessionId), true);
  assert.equal(await endOperatorSession(sri.own, budi.sessionId), true);
  assert.equal(await endOperatorSession(sri.own, budi.sessionId), false);
  const who = await ask(ownerUrl, "select who_ended from operator_sessions where who_ended is not null order by 1");
  assert.deepEqual(who, [`${issuer} Adi`, `${issuer} Sri`]);
  const lastUse = () => ask(ownerUrl, `select last_used_at from operator_sessions where id = '${sri.sessionId}'`);
  const first = await lastUse();
  await useOperatorSession(pool, sri.secret);
  assert.deepEqual(await lastUse(), first);
  await runStatements(ownerUrl, ["update operator_sessions set last_used_at = last_used_at - interval '20 minutes'"]);
  assert.deepEqual((await useOperatorSession(pool, sri.secret))?.roles, ["security"]);
  assert.ok(new Date((await lastUse())[0] ?? 0) > new Date(Date.now() - 600_000));
});

test("a session that expired 90 days ago is removed by a node, a newer one is kept", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator");
  const { enter, ownerUrl } = bank;
  const [old, newer] = [await enter("Budi"), await enter("Budi")];
  const service = createAdminPool(roleUrlsOf(bank.url).url, 1);
  try {
    for (const [{ sessionId }, days] of [
      [old, 91],
      [newer, 89],
    ] as const)
      await runStatements(ownerUrl, [
        `update operator_sessions set started_at = now() - interval '${days} days', expires_at = now() - interval '${days} days' where id = '${sessionId}'`,
      ]);
    assert.equal(await createPruneSessions({ pool: service, clock: createClock() }).run(mayGoOn), 1);
    assert.deepEqual(await ask(ownerUrl, "select id from operator_sessions"), [newer.sessionId]);
  } finally {
    await service.end();
  }
});

test("a node's console starts on the service's own database, by a door", async () => {
  await using bank = await useDoor(database.ownerUrl);
  const service = createAdminPool(roleUrlsOf(bank.url).url, 1);
  try {
    await using opened = await openConsoleConnections(bank.urlOf(door), service);
    assert.ok(opened.reads);
    const open = (url: string) => openConsoleConnections(url, service);
    await assert.rejects(
      open(bank.urlOf(other)),
      new RegExp(`logs in as ${other}, which is no door of operators: .*--console-role ${other}`),
    );
    await assert.rejects(open(database.administrationUrl), /leads to another database than DATABASE_URL/);
  } finally {
    await service.end();
  }
});

test("operators with connections of their own, and the console, read and write nothing but acts", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator");
  await runStatements(bank.ownerUrl, [
    `revoke titian_admin from ${other}, ${approver}`,
    `grant ${people} to ${other}, ${approver}`,
  ]);
  const id = newId();
  await queryRows(bank.urlOf(other), propose(id));
  await queryRows(bank.urlOf(approver), approve(id));
  for (const role of [other, door]) {
    await queryRows(bank.urlOf(role), "select from accounts, transfers, entries, act_steps, operator_sessions");
    for (const denied of [
      "select from customer_grants",
      "insert into accounts select * from accounts",
      "update transfers set state = 'settled'",
      "update partners set status = 'active'",
      "insert into simulated_instructions select * from simulated_instructions",
      "insert into rail_result_files select * from rail_result_files",
      "update operator_sessions set ended_at = null",
      "insert into operator_sessions select * from operator_sessions",
      "delete from operator_doors",
      "insert into operator_roles select * from operator_roles",
      "select carry_out_act(null, 'done', null, null, null, null)",
      "select act_session()",
      "select make_partition('entries', now(), now() + interval '1 second')",
    ])
      await assert.rejects(queryRows(bank.urlOf(role), denied), /permission denied/, `${role}: ${denied}`);
  }
  // A role that becomes something else is no door any more.
  assert.deepEqual(await ask(bank.ownerUrl, "select database_role from operator_doors"), [door]);
  await migrate(bank.ownerUrl, { now: 0, operatorRole: door });
  assert.deepEqual(await ask(bank.ownerUrl, "select database_role from operator_doors"), []);
});
