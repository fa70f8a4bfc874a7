// Role by act by state: each cell is attempted at the database's door, and is what the table of rights says.
import assert from "node:assert/strict";
import { after as afterAll, test } from "node:test";
import { Client, DatabaseError } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import {
  approve,
  approver,
  carryOut,
  dropOperators,
  other,
  propose,
  refuse,
  security,
  useBank,
} from "../support/database/operators.ts";
import { newPublicKey } from "../support/partners.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { runStatements } from "../support/database/with-client.ts";

const database = await useDatabase();
afterAll(async () => {
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const allRoles = ["viewer", "support", "operator", "approver", "security", "auditor"] as const;
const states = ["proposed", "approved", "refused", "expired", "done", "rejected"] as const;
/** States of a kind that is done with its proposal: approved it is done, and it never expires. */
const statesAtOnce = ["proposed", "refused", "done"] as const;

const dewi = newId();
/** An operator that acts are about. */
const withDewi = [
  `insert into operators values ('${dewi}', 'https://login.bank.example', 'Dewi', 'Dewi') on conflict (id) do update set ended_at = null`,
  `insert into operator_roles values ('${dewi}', 'support') on conflict do nothing`,
];
const ofAccount = `insert into accounts (id, account_no, name, currency, purpose, type, status, minimum_balance, opened_at)
  values ('${newId()}', '1001', 'Siti', 'IDR', 'customer', 'S', 'active', 0, now())
  on conflict (account_no) do update set status = 'active', authorized_partner_ids = '{}'`;

interface DataAct {
  readonly target: string;
  readonly reference?: string;
  readonly before?: object;
  readonly after: object;
  /** Rows that it needs. */
  readonly needs: readonly string[];
}

const account = newId();
const terms = {
  name: "Shop",
  signing: "asymmetric",
  channelId: "95221",
  settings: { services: ["17"], addresses: [], acceptsMinifiedSignature: true, notificationSigning: "asymmetric" },
};
const key = () => ({ id: newId(), kind: "publicKey", value: newPublicKey() });
const noPartner = ["merchants", "partner_credentials", "partners"].map((table) => `delete from ${table}`);
const aPartner = (status: string) => [
  ...noPartner,
  `insert into partners values (gen_random_uuid(), 'P-1', 'C-1', 'Shop', '${status}', 'asymmetric', '95221', '{}', 1, now())`,
];
const partnerStatus = (before: string, after: string) => (): DataAct => ({
  target: "P-1",
  before: { status: before },
  after: { status: after },
  needs: aPartner(before),
});

const withHolder = `insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at)
  values ('${account}', '2002', 'holder', 'IDR', 'customer', 'S', 'active', now()) on conflict do nothing`;
const merchantStatus = (before: string, after: string) => (): DataAct => ({
  ...partnerStatus(before, after)(),
  reference: "M-1",
  needs: [
    ...aPartner("active"),
    withHolder,
    `insert into merchants select gen_random_uuid(), id, 'M-1', 'SPBU', '${before}', '${account}', null, '{}', 1, now() from partners`,
  ],
});

/** By kind a proposal that can be carried out. Absent: any target does, since a node moves the money. */
const ofData: Readonly<Record<string, (id: string) => DataAct>> = {
  partner: () => ({
    target: "P-1",
    after: { ...terms, id: newId(), clientKey: "C-1", credentials: [key()] },
    needs: noPartner,
  }),
  partnerKey: () => ({ target: "P-1", after: { credentials: [key()] }, needs: aPartner("active") }),
  partnerSuspension: partnerStatus("active", "suspended"),
  partnerResumption: partnerStatus("suspended", "active"),
  partnerRetirement: partnerStatus("suspended", "retired"),
  merchant: () => ({
    target: "P-1",
    reference: "M-1",
    after: { id: newId(), name: "SPBU", status: "active", settlementAccount: account, settings: {} },
    needs: [...aPartner("active"), withHolder],
  }),
  merchantSuspension: merchantStatus("active", "suspended"),
  merchantResumption: merchantStatus("suspended", "active"),
  grantRevocation: () => ({ target: "1001", reference: "P-1 x", after: {}, needs: aPartner("active") }),
  accountOpening: (id) => ({
    target: id.slice(-12),
    reference: id,
    after: { name: "Siti", currency: "IDR", type: "S", status: "active", partners: [], limits: {} },
    needs: [],
  }),
  blocking: () => ({
    target: "1001",
    before: { status: "active" },
    after: { status: "blocked" },
    needs: [ofAccount],
  }),
  accountChange: () => ({
    target: "1001",
    before: { status: "active", partners: [] },
    after: { status: "dormant", partners: [] },
    needs: [ofAccount],
  }),
  accountMove: () => ({
    target: "9009",
    after: { from: 0, to: 1 },
    needs: ["insert into cells values (1, '[{}]', now(), 1) on conflict do nothing", "delete from moved_accounts"],
  }),
  closing: () => ({ target: "service:17", after: {}, needs: ["delete from switches"] }),
  operatorAddition: (id) => ({
    target: newId(),
    after: { issuer: "https://login.bank.example", subject: id, name: "Dewi", roles: ["viewer"] },
    needs: [],
  }),
  roleGrant: () => ({
    target: dewi,
    after: { role: "viewer" },
    needs: [...withDewi, "delete from operator_roles where role = 'viewer'"],
  }),
  roleRemoval: () => ({ target: dewi, after: { role: "support" }, needs: withDewi }),
  operatorEnding: () => ({ target: dewi, after: {}, needs: withDewi }),
  reopening: (id) => ({
    target: "service:18",
    after: { closing: id },
    needs: ["delete from switches", `insert into switches values ('service:18', '${id}', 'a reason', now())`],
  }),
};

test("each role is given what the table of rights gives it, of each kind of act and in each state, and nothing else", async () => {
  await using bank = await useBank(database.ownerUrl);
  await bank.hire();
  await using stack = new AsyncDisposableStack();
  const connect = async (url: string) => {
    const client = stack.adopt(new Client({ connectionString: url }), (open) => open.end());
    await client.connect();
    return client;
  };
  const [owner, node, proposer, decider, tried] = await Promise.all(
    [bank.ownerUrl, roleUrlsOf(bank.url).url, ...[security, approver, other].map(bank.urlOf)].map(connect),
  );
  assert.ok(owner && node && proposer && decider && tried);
  const ask = async (text: string) => (await owner.query<string[]>({ text, rowMode: "array" })).rows.flat().map(String);
  const rights = await ask("select concat_ws(' ', role, kind, step) from act_rights");
  const kinds = await ask("select kind from act_kinds where effect in ('money', 'data') order by kind");
  const atOnce = await ask("select kind from act_kinds where at_once");
  const data = await ask("select kind from act_kinds where effect = 'data' order by kind");
  assert.deepEqual(Object.keys(ofData).toSorted(), data);
  let cells = 0;
  const may = async (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => (error instanceof DatabaseError && error.code === "42501" ? false : Promise.reject(error)),
    );
  const orderOf = async (id: string, kind: string, name: string) => {
    const { target = name, reference, before, after: shallBe, needs = [] } = ofData[kind]?.(id) ?? {};
    // An act of an earlier cell may be open on it.
    for (const text of ["delete from open_acts", ...needs]) await owner.query(text);
    return propose(id, target, kind, shallBe, before, reference);
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
      const proposes = await may(tried.query(await orderOf(own, kind, `own-${role}`)));
      assert.equal(proposes, rights.includes(`${role} ${kind} proposed`), `${role} proposes ${kind}`);
      for (const state of atOnce.includes(kind) ? statesAtOnce : states) {
        const id = newId();
        const lifetime = state === "expired" ? "1 microsecond" : "1 day";
        const order = await orderOf(id, kind, `${role}-${state}`);
        await proposer.query(order.replace("1 day", lifetime));
        if (state === "refused") await decider.query(refuse(id));
        if (state === "approved" || state === "done" || state === "rejected") await decider.query(approve(id));
        if (state === "done" && !data.includes(kind)) await node.query(carryOut(id, `${role}-${state}`));
        if (state === "done" && data.includes(kind)) await node.query(`select apply_act('${id}')`);
        if (state === "rejected") await node.query(`select carry_out_act('${id}', 'rejected', null, null, null, null)`);
        const approves = await may(tried.query(approve(id)));
        const isOpen = state === "proposed";
        // An act that waits no more is only told of.
        assert.equal(approves, !isOpen || rights.includes(`${role} ${kind} approved`), `${role}, ${kind} ${state}`);
        const approved = atOnce.includes(kind) ? "done" : "approved";
        const became = isOpen && approves ? approved : state;
        assert.deepEqual(await ask(`select act_state('${id}')`), [became], `${role}, ${kind} ${state}`);
        cells += 1;
      }
    }
  }
  const ofAKind = (kind: string) => (atOnce.includes(kind) ? statesAtOnce : states).length;
  assert.equal(cells, allRoles.length * kinds.reduce((sum, kind) => sum + ofAKind(kind), 0));
});
