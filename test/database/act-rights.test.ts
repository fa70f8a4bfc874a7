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
/** States of a kind that is done with its proposal: approved it is done, and it never expires. */
const statesAtOnce = ["proposed", "refused", "done"] as const;

/** By kind a proposal that can be carried out, and the rows that it needs. Absent: any target does, since a node moves the money. */
const ofData: Readonly<
  Record<string, (id: string) => { readonly after: object; readonly target: string; readonly needs: readonly string[] }>
> = {
  closing: () => ({ target: "service:17", after: {}, needs: ["delete from switches"] }),
  reopening: (id) => ({
    target: "service:18",
    after: { closing: id },
    needs: ["delete from switches", `insert into switches values ('service:18', '${id}', 'a reason', now())`],
  }),
};

test("each role is given what the table of rights gives it, of each kind of act and in each state, and nothing else", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire();
  const node = roleUrlsOf(bank.url).url;
  const rights = await ask(bank.ownerUrl, "select concat_ws(' ', role, kind, step) from act_rights");
  const kinds = await ask(bank.ownerUrl, "select kind from act_kinds order by kind");
  const atOnce = await ask(bank.ownerUrl, "select kind from act_kinds where at_once");
  const data = await ask(bank.ownerUrl, "select kind from act_kinds where effect = 'data' order by kind");
  assert.deepEqual(Object.keys(ofData).toSorted(), data);
  let cells = 0;
  const may = async (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => (error instanceof DatabaseError && error.code === "42501" ? false : Promise.reject(error)),
    );
  const orderOf = async (id: string, kind: string, name: string) => {
    const { target = name, after: shallBe, needs = [] } = ofData[kind]?.(id) ?? {};
    // An act of an earlier cell may be open on it.
    await runStatements(bank.ownerUrl, ["delete from open_acts", ...needs]);
    return propose(id, target, kind, shallBe);
  };
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
      const own = newId();
      const proposes = await may(queryRows(bank.urlOf(other), await orderOf(own, kind, `own-${role}`)));
      assert.equal(proposes, rights.includes(`${role} ${kind} proposed`), `${role} proposes ${kind}`);
      for (const state of atOnce.includes(kind) ? statesAtOnce : states) {
        const id = newId();
        const lifetime = state === "expired" ? "1 millisecond" : "1 day";
        const order = await orderOf(id, kind, `${role}-${state}`);
        await queryRows(bank.urlOf(security), order.replace("1 day", lifetime));
        if (state === "refused") await queryRows(bank.urlOf(approver), refuse(id));
        if (state === "approved" || state === "done" || state === "rejected")
          await queryRows(bank.urlOf(approver), approve(id));
        if (state === "done" && !data.includes(kind)) await queryRows(node, carryOut(id, `${role}-${state}`));
        if (state === "done" && data.includes(kind)) await queryRows(node, `select apply_act('${id}')`);
        if (state === "rejected")
          await queryRows(node, `select carry_out_act('${id}', 'rejected', null, null, null, null)`);
        const approves = await may(queryRows(bank.urlOf(other), approve(id)));
        const isOpen = state === "proposed";
        // An act that waits no more is only told of.
        assert.equal(approves, !isOpen || rights.includes(`${role} ${kind} approved`), `${role}, ${kind} ${state}`);
        const approved = atOnce.includes(kind) ? "done" : "approved";
        const became = isOpen && approves ? approved : state;
        assert.deepEqual(await ask(bank.ownerUrl, `select act_state('${id}')`), [became], `${role}, ${kind} ${state}`);
        cells += 1;
      }
    }
  }
  const ofAKind = (kind: string) => (atOnce.includes(kind) ? statesAtOnce : states).length;
  assert.equal(cells, allRoles.length * kinds.reduce((sum, kind) => sum + ofAKind(kind), 0));
});
