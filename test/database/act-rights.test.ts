// Role by act by state: each cell is attempted at the database's door, and is what the table of rights says.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DatabaseError } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  ask,
  carryOut,
  dropOperators,
  other,
  propose,
  refuse,
  security,
  useBank,
} from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";

const database = await useDatabase();
after(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const allRoles = ["viewer", "support", "operator", "approver", "security", "auditor"] as const;
const states = ["proposed", "approved", "refused", "expired", "done", "rejected"] as const;

test("each role is given what the table of rights gives it, of each kind of act and in each state, and nothing else", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire();
  const node = roleUrlsOf(bank.url).url;
  const rights = await ask(bank.ownerUrl, "select concat_ws(' ', role, kind, step) from act_rights");
  const kinds = [...new Set(rights.map((right) => right.split(" ")[1] ?? ""))];
  assert.equal(kinds.length, 5);
  let cells = 0;
  const may = async (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => (error instanceof DatabaseError && error.code === "42501" ? false : Promise.reject(error)),
    );
  // Somebody else proposes one act of each kind in each state.
  await runStatements(bank.ownerUrl, [
    `insert into operator_roles select id, 'operator' from operators where subject = 'Sri'`,
    `insert into operator_roles select id, 'viewer' from operators where subject = 'Adi'`,
  ]);
  for (const role of allRoles) {
    await runStatements(bank.ownerUrl, [
      "delete from operator_roles where operator_id = (select id from operators where subject = 'Budi')",
      `insert into operator_roles select id, '${role}' from operators where subject = 'Budi'`,
    ]);
    for (const kind of kinds) {
      const proposes = await may(queryRows(bank.urlOf(other), propose(newId(), `own ${role}`, kind)));
      assert.equal(proposes, rights.includes(`${role} ${kind} proposed`), `${role} proposes ${kind}`);
      for (const state of states) {
        const id = newId();
        const lifetime = state === "expired" ? "1 millisecond" : "1 day";
        await queryRows(bank.urlOf(security), propose(id, `${role} ${state}`, kind).replace("1 day", lifetime));
        if (state === "refused") await queryRows(bank.urlOf(approver), refuse(id));
        if (state === "approved" || state === "done" || state === "rejected")
          await queryRows(bank.urlOf(approver), approve(id));
        if (state === "done") await queryRows(node, carryOut(id, `${role} ${state}`));
        if (state === "rejected")
          await queryRows(node, `select carry_out_act('${id}', 'rejected', null, null, null, null)`);
        const approves = await may(queryRows(bank.urlOf(other), approve(id)));
        const isOpen = state === "proposed";
        // An act that waits no more is only told of.
        assert.equal(approves, !isOpen || rights.includes(`${role} ${kind} approved`), `${role}, ${kind} ${state}`);
        const became = isOpen && approves ? "approved" : state;
        assert.deepEqual(await ask(bank.ownerUrl, `select act_state('${id}')`), [became], `${role}, ${kind} ${state}`);
        cells += 2;
      }
    }
  }
  assert.equal(cells, 360);
});
