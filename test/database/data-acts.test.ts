// Acts that change data: once they are approved, or at once; among them those on operators themselves.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  ask,
  carryOut,
  dropOperators,
  issuer,
  other,
  propose,
  refuse,
  security,
  steps,
  useBank,
} from "../support/database/operators.ts";
import { administrationUrlOf, roleUrlsOf } from "../support/database/template.ts";
import { queryRows } from "../support/database/with-client.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

test("an act of a kind at once is done with its proposal, and an approver alone ends or approves it", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const node = roleUrlsOf(bank.url).url;
  const closed = () => ask(node, "select name from switches order by name");
  const version = async () => Number((await ask(node, "select version from reference_version"))[0]);
  const [late, kept, taken] = [newId(), newId(), newId()];
  const before = await version();
  const short = propose(late, "rail:skn", "closing", {}).replace("1 day", "1 millisecond");
  assert.deepEqual(await ask(bank.urlOf(other), short), ["proposed"]);
  assert.deepEqual(await ask(bank.urlOf(other), propose(kept, "intake", "closing", {})), ["proposed"]);
  assert.deepEqual(await closed(), ["intake", "rail:skn"]);
  assert.equal(await version(), before + 2, "nodes read it");
  await assert.rejects(queryRows(bank.urlOf(other), propose(newId(), "rail:x", "closing", {})), /switches_name_check/);
  await assert.rejects(queryRows(bank.urlOf(other), approve(kept)), /whoever proposes an act does not approve it/);
  await assert.rejects(queryRows(bank.urlOf(other), refuse(kept)), /taken back by another operator/);
  await assert.rejects(queryRows(bank.urlOf(security), refuse(kept)), /approved by the role approver/);
  assert.deepEqual(await ask(node, `select apply_act('${kept}')`), ["proposed"], "it waits for its approval");
  assert.deepEqual(await ask(node, "select expire_acts()"), ["0"]);
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(late)), ["refused"], "after its time, too");
  assert.deepEqual(await ask(bank.urlOf(approver), approve(kept)), ["done"]);
  assert.deepEqual(await closed(), ["intake"]);
  assert.deepEqual(await steps(node, kept), [
    `proposed ${issuer} Budi`,
    `approved ${issuer} Adi`,
    `carried out database ${approver}`,
  ]);
  assert.deepEqual(await ask(bank.urlOf(approver), propose(taken, "rail:skn", "closing", {})), ["proposed"]);
  await assert.rejects(queryRows(bank.urlOf(approver), approve(taken)), /does not approve it/);
  assert.deepEqual(await ask(node, "select kind from open_acts"), ["closing"]);
});

test("an act that changes data is done once it is approved, once, and not where the data have changed", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const node = roleUrlsOf(bank.url).url;
  const [closing, reopening, stale] = [newId(), newId(), newId()];
  await queryRows(bank.urlOf(other), propose(closing, "intake", "closing", {}));
  await queryRows(bank.urlOf(approver), approve(closing));
  await queryRows(bank.urlOf(other), propose(stale, "intake", "reopening", { closing: newId() }));
  assert.deepEqual(await ask(node, `select apply_act('${stale}')`), ["proposed"]);
  await queryRows(bank.urlOf(approver), approve(stale));
  assert.deepEqual(await ask(node, `select apply_act('${stale}')`), ["rejected"]);
  assert.deepEqual(await ask(node, "select name from switches"), ["intake"]);
  await queryRows(bank.urlOf(other), propose(reopening, "intake", "reopening", { closing }));
  await queryRows(bank.urlOf(approver), approve(reopening));
  await assert.rejects(queryRows(node, carryOut(reopening)), /moves no money/);
  const applied = await Promise.all([1, 2].map(() => ask(node, `select apply_act('${reopening}')`)));
  assert.deepEqual(applied, [["done"], ["done"]]);
  assert.deepEqual(await ask(node, "select name from switches"), []);
  assert.deepEqual(await steps(node, reopening), [
    `proposed ${issuer} Budi`,
    `approved ${issuer} Adi`,
    "carried out database titian_app",
  ]);
  const money = newId();
  await queryRows(bank.urlOf(other), propose(money));
  await queryRows(bank.urlOf(approver), approve(money));
  await assert.rejects(queryRows(node, `select apply_act('${money}')`), /is carried out by a node/);
  await assert.rejects(queryRows(node, "delete from switches"), /permission denied/);
  await assert.rejects(queryRows(bank.urlOf(approver), "delete from switches"), /permission denied/);
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

test("operators are added, and get roles, by two others; a role is taken and an operator ended at once", async () => {
  await using bank = await useBank(database.ownerUrl);
  const node = roleUrlsOf(bank.url).url;
  const run = async (kind: string, target: string, shallBe: object) => {
    const id = newId();
    await queryRows(bank.urlOf(security), propose(id, target, kind, shallBe));
    await queryRows(bank.urlOf(approver), approve(id));
    return (await ask(node, `select apply_act('${id}')`))[0];
  };
  const found = (id: string) =>
    ask(node, `select act_steps.result ->> 'found' from act_steps where act_id = '${id}' and outcome is not null`);
  const idOf = async (subject: string) =>
    (await ask(node, `select id from operators where subject = '${subject}'`))[0] ?? "";
  const rolesOf = (id: string) =>
    ask(node, `select role from operator_roles where operator_id = '${id}' order by role`);
  const budi = newId();
  const newcomer = { issuer, subject: "Budi", name: "Budi", databaseRole: other, roles: ["operator"] };
  await assert.rejects(
    queryRows(bank.urlOf(approver), propose(newId(), newId(), "operatorAddition", newcomer)),
    /by the role security/,
  );
  assert.equal(await run("operatorAddition", budi, newcomer), "done");
  assert.deepEqual(await ask(bank.urlOf(other), propose(newId())), ["proposed"], "he proposes at the database's door");
  assert.equal(await run("operatorAddition", newId(), newcomer), "rejected", "one issuer and subject is one operator");
  assert.equal(await run("operatorAddition", "no-id", { ...newcomer, subject: "Eko", databaseRole: null }), "rejected");
  assert.equal(await run("roleGrant", budi, { role: "support" }), "done");
  assert.equal(await run("roleGrant", budi, { role: "auditor" }), "rejected", "an auditor does not operate");
  assert.equal(await run("roleGrant", budi, { role: "odd" }), "rejected");
  assert.deepEqual(await rolesOf(budi), ["operator", "support"]);

  // Sri proposes more for herself, and Adi approves more for himself.
  const sri = await idOf("Sri");
  const adi = await idOf("Adi");
  assert.equal(await run("roleGrant", sri, { role: "operator" }), "rejected");
  const own = newId();
  await queryRows(bank.urlOf(security), propose(own, adi, "roleGrant", { role: "operator" }));
  await queryRows(bank.urlOf(approver), approve(own));
  assert.deepEqual(await ask(node, `select apply_act('${own}')`), ["rejected"]);
  assert.deepEqual(await found(own), ["an act on an operator is proposed and approved by others"]);

  await assert.rejects(
    queryRows(bank.urlOf(security), propose(newId(), adi, "operatorEnding", {})),
    /nobody else has the role approver/,
  );
  await assert.rejects(
    queryRows(bank.urlOf(approver), propose(newId(), sri, "operatorEnding", {})),
    /nobody else has the role security/,
  );
  await assert.rejects(
    queryRows(bank.urlOf(security), propose(newId(), adi, "roleRemoval", { role: "approver" })),
    /nobody else has the role approver/,
  );
  const taken = newId();
  await queryRows(bank.urlOf(security), propose(taken, budi, "roleRemoval", { role: "operator" }));
  await assert.rejects(queryRows(bank.urlOf(other), propose(newId(), "1002")), /proposed by the role operator/);
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(taken)), ["refused"]);
  assert.deepEqual(await rolesOf(budi), ["operator", "support"]);
  const ended = newId();
  await queryRows(
    bank.ownerUrl,
    `insert into operator_sessions values (gen_random_uuid(), '${budi}', sha256('s'), 'cli', '::1', true, now(), now(), now() + interval '1 hour')`,
  );
  await queryRows(bank.urlOf(security), propose(ended, budi, "operatorEnding", {}));
  await assert.rejects(queryRows(bank.urlOf(other), propose(newId(), "1002")), /is no operator's/);
  assert.equal(await run("roleGrant", budi, { role: "viewer" }), "rejected");
  assert.deepEqual(await ask(node, "select count(*) from operator_sessions where ended_at is null"), ["0"]);
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(ended)), ["refused"]);
  assert.deepEqual(await ask(bank.urlOf(other), propose(newId(), "1002")), ["proposed"]);
});

test("what an approved act undoes waits for no decision any more, and the next act at once is done", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire("operator", "approver");
  const node = roleUrlsOf(bank.url).url;
  const [first, opening, second, same] = [newId(), newId(), newId(), newId()];
  const closed = () => ask(node, "select name from switches");
  await queryRows(bank.urlOf(other), propose(first, "rail:skn", "closing", {}));
  const twice = propose(same, "rail:skn", "closing", {}).replace("select state", "select is_same");
  assert.deepEqual(await ask(bank.urlOf(other), twice), ["false"], "nothing is done by it");
  await queryRows(bank.urlOf(other), propose(opening, "rail:skn", "reopening", { closing: first }));
  await queryRows(bank.urlOf(approver), approve(opening));
  assert.deepEqual(await ask(node, `select apply_act('${opening}')`), ["done"]);
  assert.deepEqual(await steps(node, first), [`proposed ${issuer} Budi`, "refused titian"]);
  assert.deepEqual(await ask(bank.urlOf(other), propose(second, "rail:skn", "closing", {})), ["proposed"]);
  assert.deepEqual(await closed(), ["rail:skn"]);

  // A role that was taken is not given back by its holder, nor by one approver once it was granted anew.
  const budi = (await ask(node, "select id from operators where subject = 'Budi'"))[0] ?? "";
  const [taken, granted] = [newId(), newId()];
  await queryRows(bank.urlOf(security), propose(taken, budi, "roleRemoval", { role: "operator" }));
  await assert.rejects(queryRows(bank.urlOf(other), refuse(taken)), /proposed and approved by others/);
  await queryRows(bank.urlOf(security), propose(granted, budi, "roleGrant", { role: "operator" }));
  await queryRows(bank.urlOf(approver), approve(granted));
  assert.deepEqual(await ask(node, `select apply_act('${granted}')`), ["done"]);
  assert.deepEqual(await steps(node, taken), [`proposed ${issuer} Sri`, "refused titian"]);

  // One approver does not end the only other one, who alone could decide on that.
  const adi = (await ask(node, "select id from operators where subject = 'Adi'"))[0] ?? "";
  const ends = propose(newId(), adi, "operatorEnding", {});
  await assert.rejects(queryRows(bank.urlOf(other), ends), /nobody else has the role approver/);
  await assert.rejects(queryRows(bank.urlOf(other), propose(newId(), "1001", "unmasking", {})), /is not proposed/);
  const odd = { issuer, subject: "Eko", name: "Eko", databaseRole: "x".repeat(64), roles: [] };
  const long = newId();
  await queryRows(bank.urlOf(security), propose(long, newId(), "operatorAddition", odd));
  await queryRows(bank.urlOf(approver), approve(long));
  assert.deepEqual(await ask(node, `select apply_act('${long}')`), ["rejected"]);
});

test("where nobody is in charge no operator is added but by the bootstrap", async () => {
  const url = administrationUrlOf(database.url);
  const id = newId();
  await queryRows(
    url,
    propose(id, newId(), "operatorAddition", { issuer, subject: "Eve", name: "Eve", roles: ["approver"] }),
  );
  assert.deepEqual(await ask(url, `select apply_act('${id}')`), ["rejected"]);
  assert.deepEqual(await ask(url, "select count(*) from operators"), ["0"]);
});
