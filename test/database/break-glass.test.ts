// Break-glass: a session of an operator that the sealed role opens while nobody can log in.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBreakGlass } from "../../packages/server/src/admin/break-glass.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { findActFaults } from "../../packages/server/src/store/audit/act-chain.ts";
import { asOperator } from "../../packages/server/src/store/postgres/as-operator.ts";
import { countOverdueActs } from "../../packages/server/src/store/tables/acts.ts";
import {
  countBreakGlassSessions,
  useOperatorSession,
} from "../../packages/server/src/store/tables/operator-sessions.ts";
import { useDatabase } from "../support/database/database.ts";
import { useDoor } from "../support/database/operator-door.ts";
import {
  approve,
  ask,
  door,
  dropOperators,
  emergency,
  issuer,
  other,
  propose,
  refuse,
} from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements, withClient } from "../support/database/with-client.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const hasEnded = /the session has ended: log in again/;

test("while nobody can log in, the sealed role opens a session of 30 minutes, which proposes and approves nothing", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator", "approver");
  const { run, enter, pool, ownerUrl, urlOf } = bank;
  const input = { operator: "Budi", reason: "the identity provider is down", ticket: "INC-1" };
  const open = (given: object = {}) => openBreakGlass(urlOf(emergency), { ...input, ...given });
  const { secret, sessionId, actId, name } = await open();
  assert.equal(name, "Budi");
  const known = await useOperatorSession(pool, secret);
  assert.deepEqual([known?.cameBy, known?.hasSecondFactor, known?.sessionId], ["breakGlass", false, sessionId]);
  const lifetime = `select expires_at - started_at <= interval '30 minutes' from operator_sessions where id = '${sessionId}'`;
  assert.deepEqual([await ask(ownerUrl, lifetime), await countBreakGlassSessions(pool)], [["true"], 1]);
  const own = asOperator(pool, secret);
  const [money, closing, others] = [newId(), newId(), newId()];
  await run(own, propose(money));
  await run(own, propose(closing, "service:17", "closing"));
  const named = await ask(ownerUrl, `select distinct reason from act_steps where act_id in ('${money}', '${closing}')`);
  assert.deepEqual(named, [`break-glass ${actId}: a reason`]);
  const [sri, adi, budi] = [await enter("Sri"), await enter("Adi"), await enter("Budi")];
  await runStatements(ownerUrl, [
    `insert into operator_roles select id, 'operator' from operators where subject = 'Sri'`,
  ]);
  await run(sri.own, propose(others, "1002"));
  const approvesNothing = /a session of break-glass approves and refuses nothing/;
  for (const decision of [approve(others), refuse(others), propose(newId(), newId(), "operatorEnding", {})])
    await assert.rejects(run(own, decision), approvesNothing);
  await assert.rejects(run(budi.own, approve(actId)), /whoever proposes an act does not approve it/);
  // Overdue after a day; refused, the session has ended, and what it closed stays closed.
  await runStatements(ownerUrl, [`update open_acts set expires_at = now() where act_id = '${actId}'`]);
  assert.equal(await countOverdueActs(pool), 1);
  await run(adi.own, refuse(actId));
  await assert.rejects(run(own, propose(newId(), "1003")), hasEnded);
  assert.deepEqual(await ask(ownerUrl, `select who_ended from operator_sessions where id = '${sessionId}'`), [
    `${issuer} Adi`,
  ]);
  assert.deepEqual(
    [await countBreakGlassSessions(pool), await ask(ownerUrl, "select name from switches")],
    [0, ["service:17"]],
  );
  // Approved, it stays what it was.
  const second = await open();
  await run(adi.own, approve(second.actId));
  assert.deepEqual(await ask(ownerUrl, `select act_state('${second.actId}')`), ["done"]);
  assert.equal((await useOperatorSession(pool, second.secret))?.subject, "Budi");
  for (const [given, message] of [
    [{ operator: "Nobody" }, /no operator, or more than one, is called Nobody/],
    [{ ticket: "" }, /has a reason and a ticket/],
    [{ reason: "" }, /has a reason and a ticket/],
  ] as const)
    await assert.rejects(open(given), message);
  await runStatements(ownerUrl, [
    "delete from operator_roles where operator_id = (select id from operators where subject = 'Budi')",
  ]);
  await assert.rejects(open(), /of the kind breakGlass is proposed by the role/);
  await withClient(ownerUrl, async (client) =>
    assert.deepEqual(await findActFaults(client, { limit: 10, isEverything: true }), []),
  );
});

test("the sealed role does nothing else, and no other role opens such a session", async () => {
  await using bank = await useDoor(database.ownerUrl, "operator");
  const { urlOf } = bank;
  for (const denied of [
    "select from operators",
    "select from accounts",
    "select from act_steps",
    propose(newId()),
    `select open_operator_session('${issuer}', 'Adi', '\\x00', 'cli', '::1', true)`,
    "select apply_act(null)",
  ])
    await assert.rejects(queryRows(urlOf(emergency), denied), /permission denied/, denied);
  const input = { operator: "Adi", reason: "a reason", ticket: "INC-1" };
  for (const url of [roleUrlsOf(bank.url).url, urlOf(door), urlOf(other)])
    await assert.rejects(openBreakGlass(url, input), /permission denied .* DATABASE_URL logs in as .*--emergency-role/);
  // A database that nobody is in charge of has no session to open.
  await assert.rejects(openBreakGlass(database.ownerUrl, input), /nobody is in charge of this database yet/);
});
