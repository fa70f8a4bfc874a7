// Operators' calls as a production node serves them: who may make which, and what each is answered.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Schema } from "@titian/contract";
import { type AnyCall, controlCalls } from "@titian/control";
import { openAccount, runAudit } from "@titian/server/admin";
import { notInProduction, productionCalls } from "../../packages/control/src/production/production-calls.ts";
import { unmaskCalls } from "../../packages/control/src/production/unmask-calls.ts";
import { makersOf, roles } from "../../packages/control/src/rows/roles.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import type { SecurityFacts } from "../../packages/server/src/observability/security/security-event.ts";
import { startNode } from "../support/administration.ts";
import { pathOf, rightInput } from "../support/control-rows.ts";
import { dropOperators, issuer, other, security, useBank } from "../support/database/operators.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { startPlainCore } from "../support/plain-core.ts";
import { startProductionCalls } from "../support/production-calls.ts";

type Members = Readonly<Record<string, unknown>>;

const database = await useDatabase();
const accountNo = "1001000001";
const holder = "Siti Nur Aini";
const node = await startNode(database.url);
const account = { accountNo, name: holder, currency: "IDR", type: "S", balance: minor(5_000_000n) } as const;
assert.ok((await openAccount(node, account)).ok);
await node.close();
const bank = await useBank(database.ownerUrl);
await bank.hire("operator");
const { url } = roleUrlsOf(bank.url);
const core = await startPlainCore(url, { environment: "production" });
const read: (SecurityFacts & { readonly event: string })[] = [];
const calls = await startProductionCalls({
  core,
  bank,
  hired: Object.fromEntries(roles.map((role) => [role, role])),
  subjects: [...roles, "Budi", "Adi", "Sri"],
  security: { add: (event, _share, facts) => void read.push({ event, ...facts() }) },
});
after(async () => {
  await calls[Symbol.asyncDispose]();
  await core[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
  await dropOperators(database.ownerUrl);
  await database.drop();
});

test("each row is served in production, or says why it is not", () => {
  const routes = controlCalls.map(({ route }): string => route);
  for (const route of Object.keys(notInProduction)) assert.ok(routes.includes(route), route);
  assert.equal(productionCalls.length - unmaskCalls.length + Object.keys(notInProduction).length, routes.length);
});

/** Names that members with personal data have, but for those of the bank's own accounts. */
const personal = /accountNo$|beneficiaryName$|^remark$|^body$|^customerReference$|^reason$/i;
const ownAccounts = [
  "transfer show.clearingAccountNo",
  "payment-request show.clearingAccountNo",
  "ledger show.accountNo",
];

function unmarkedIn({ anyOf = [], items, properties = {} }: Schema): readonly string[] {
  const inner = [...anyOf, ...(items === undefined ? [] : [items])].flatMap(unmarkedIn);
  const own = Object.entries(properties).flatMap(([name, member]) => [
    ...(personal.test(name) && member.type === "string" && member.personal === undefined ? [name] : []),
    ...unmarkedIn(member),
  ]);
  return [...inner, ...own];
}

test("members with personal data say so", () => {
  const unmarked = productionCalls.flatMap(({ name, answer }) =>
    answer === undefined ? [] : unmarkedIn(answer).map((member) => `${name}.${member}`),
  );
  assert.deepEqual([...new Set(unmarked)].toSorted(), ownAccounts.toSorted());
});

const allCalls: readonly AnyCall[] = [...controlCalls, ...unmaskCalls];

test("each row is made by the roles of the table and by no other, and by nobody who is not signed in", async (t) => {
  let cells = 0;
  for (const row of allCalls) {
    const query = new URLSearchParams(rightInput(row.query) as Record<string, string>);
    const path = `${pathOf(row)}?${query}`;
    const body = row.method === "GET" ? undefined : rightInput(row.body);
    const isServed = !Object.hasOwn(notInProduction, row.route);
    for (const role of [...roles, undefined]) {
      const { status, body: answer } = await calls.call(role, row.method, path, body);
      const cell = `${row.name} by ${role}: ${status} ${JSON.stringify(answer)}`;
      // A call that is not served is unknown to who makes it.
      if (!isServed) assert.ok(status === 404 || role === undefined, cell);
      else if (role === undefined) assert.equal(status, 401, cell);
      else if (makersOf(row).includes(role)) assert.ok(status !== 401 && status !== 403 && status < 500, cell);
      else {
        assert.equal(status, 403, cell);
        for (const maker of makersOf(row)) assert.match(answer.error?.message ?? "", new RegExp(`\\b${maker}\\b`));
      }
      cells += 1;
    }
  }
  assert.equal(cells, allCalls.length * (roles.length + 1));
  t.diagnostic(`${cells} cells`);
});

test("a proposal waits for another operator, who approves what was read, and a node carries it out", async () => {
  const body = { amount: "250.00", reference: "console-1", reason: "a gift" };
  const fund = () => calls.call("Budi", "POST", `/accounts/${accountNo}/fund`, body);
  assert.equal((await fund()).status, 202);
  const open = await calls.call("Adi", "GET", "/acts?open=true");
  const [act] = open.body["acts"] as readonly [{ actId: string; hash: string; proposedBy: string }];
  assert.ok(act.proposedBy.endsWith(" Budi"));
  const approve = (by: string) => calls.call(by, "POST", `/acts/${act.actId}/approve`, { hash: act.hash });
  assert.equal((await approve("Budi")).status, 403);
  assert.deepEqual((await approve("Adi")).body, { state: "approved" });
  const again = await fund();
  assert.equal(again.status, 202);
  assert.match(again.body.error?.message ?? "", /It is approved: a node carries it out/);
  assert.equal(again.body.error?.actId, act.actId);
  const refused = await calls.call("Budi", "POST", `/acts/${act.actId}/refuse`, {
    hash: act.hash,
    reason: "a mistake",
  });
  assert.deepEqual(refused.body, { state: "rejected" });
});

const show = (by: string, path: string) => calls.call(by, "GET", path);
test("personal data is masked, but for what the caller has named, and every account is found by an id of ours", async () => {
  const { body: list } = await show("viewer", "/accounts");
  const [listed] = list["accounts"] as readonly [Members];
  assert.deepEqual([listed["accountNo"], listed["name"]], ["••••0001", "••••"]);
  const byId = await show("viewer", `/accounts/${String(listed["accountId"])}`);
  assert.deepEqual([byId.status, byId.body["accountNo"], byId.body["name"]], [200, "••••0001", "••••"]);
  const byNumber = await show("viewer", `/accounts/${accountNo}`);
  assert.deepEqual([byNumber.body["accountNo"], byNumber.body["name"]], [accountNo, "••••"]);
  const { body: found } = await show("viewer", `/search?number=${accountNo}`);
  const [match] = found["matches"] as readonly [Members];
  assert.deepEqual([match["accountNo"], match["name"], match["accountId"]], [accountNo, "••••", listed["accountId"]]);
  const { body: acts } = await show("auditor", "/acts");
  const funding = (acts["acts"] as readonly Members[]).find(({ kind }) => kind === "funding");
  assert.equal(funding?.["does"], "Put IDR 250.00 on account ••••0001 of ••••, reference console-1");
  assert.equal(funding["target"], "••••0001");
  assert.match(String(funding["entries"]), /^••••0001 25000 IDR, funding:IDR -25000 IDR$/);
  assert.doesNotMatch(JSON.stringify([list, byId.body, acts]), new RegExp(`${accountNo}|${holder}`));
});

test("who gives a reason sees one record unmasked, alone and for 15 minutes, and an act says so", async () => {
  const path = `/accounts/${accountNo}`;
  const nameFor = async (by: string) => (await show(by, path)).body["name"];
  const unmask = (by: string, body: object) => calls.call(by, "POST", `/records/${accountNo}/unmask`, body);
  const reason = "the holder asks about a credit";
  read.length = 0;
  for (const none of [{}, { reason: "" }, { reason: "   " }]) {
    const { status: code, body: answer } = await unmask("Budi", none);
    assert.deepEqual([code, answer.error?.field], [400, "reason"], JSON.stringify(none));
  }
  const change = await calls.call("Budi", "PATCH", path, { status: "blocked" });
  assert.deepEqual([change.status, change.body.error?.field], [400, "reason"]);
  assert.equal((await unmask("auditor", { reason })).status, 403);
  const large = await unmask("Budi", { reason: "x".repeat(70_000) });
  assert.deepEqual([large.status, large.body.error?.message], [413, "The body of a call has at most 65536 bytes."]);
  const { status, body } = await unmask("Budi", { reason });
  assert.equal(status, 200);
  assert.deepEqual([await nameFor("Budi"), await nameFor("Adi")], [holder, "••••"]);
  // Lists stay masked.
  assert.doesNotMatch(JSON.stringify((await show("Budi", "/accounts")).body), new RegExp(holder));
  assert.deepEqual(
    read.map(({ event, identity, operation, target }) => [event, identity, operation, target]),
    [["personal_data.read", `${issuer} Budi`, "account show", accountNo]],
  );
  const { body: act } = await show("Adi", `/acts/${String(body["actId"])}`);
  assert.deepEqual([act["kind"], act["state"], act["reason"]], ["unmasking", "done", reason]);
  assert.deepEqual((await show("Adi", "/acts?open=true")).body["acts"], []);
  const minutes = (Date.parse(String(body["until"])) - Date.parse(String(act["proposedAt"]))) / 60_000;
  assert.equal(Math.round(minutes), 15);
  const twice = `select unmask_record('${String(body["actId"])}', 'another', 'again')`;
  await queryRows(bank.urlOf(other), twice);
  assert.deepEqual(await queryRows(bank.ownerUrl, "select from act_steps where target = 'another'"), []);
  assert.equal((await show("Adi", `/acts/${String(body["actId"])}`)).body["reason"], reason);
  // The database asks for a role, too.
  await assert.rejects(queryRows(bank.urlOf(security), twice), /an act of the kind unmasking is proposed by the role/);
  const { findings } = await runAudit(bank.ownerUrl);
  assert.deepEqual(findings, []);
  await runStatements(bank.ownerUrl, [
    "alter table act_steps disable trigger act_steps_immutable",
    "update act_steps set expires_at = expires_at - interval '15 minutes' where kind = 'unmasking'",
  ]);
  assert.equal(await nameFor("Budi"), "••••");
});

test("why a switch is closed is read by who decides on acts or checks them, and by nobody else", async () => {
  const [path, reason] = ["/switches/rail:rtgs", "Siti has called"];
  assert.equal((await calls.call("Budi", "POST", `${path}/close`, { reason })).status, 200);
  const closedFor = async (by: string) => {
    const { body } = await show(by, "/switches");
    return (body["switches"] as readonly Members[]).find(({ name }) => name === "rail:rtgs")?.["closed"] as Members;
  };
  assert.equal((await closedFor("Adi"))["reason"], reason);
  for (const by of ["viewer", "security"]) assert.equal((await closedFor(by))["reason"], "••••", by);
  const reopening = await calls.call("Budi", "POST", `${path}/reopen`, { reason: "the call is over" });
  assert.equal(reopening.status, 202);
  const act = (await show("viewer", `/acts/${reopening.body.error?.actId}`)).body;
  assert.deepEqual([act["does"], act["reason"]], ["Open rail:rtgs again", "••••"]);
  const closeAgain = async () => {
    const { status, body } = await calls.call("operator", "POST", `${path}/close`, { reason: "an outage" });
    return { status, actId: body["actId"], note: body["note"] };
  };
  const actId = String((await closedFor("Adi"))["actId"]);
  const waiting = await closeAgain();
  assert.deepEqual([waiting.status, waiting.actId], [200, actId]);
  assert.match(String(waiting.note), new RegExp(`titian act show ${actId}`));
  const { hash } = (await show("Adi", `/acts/${actId}`)).body;
  await calls.call("Adi", "POST", `/acts/${actId}/approve`, { hash });
  assert.deepEqual(await closeAgain(), { status: 200, actId: undefined, note: undefined });
});

test("an error calls an account as its caller did, whose number may be masked", async () => {
  const { body: list } = await show("viewer", "/accounts");
  const [listed] = list["accounts"] as readonly [Members];
  const accountId = String(listed["accountId"]);
  const words = { reference: "console-9", reason: "a test" };
  const fund = (amount: string) => calls.call("Budi", "POST", `/accounts/${accountId}/fund`, { amount, ...words });
  const first = await fund("1.00");
  const another = await fund("2.00");
  assert.equal(another.status, 409);
  assert.match(another.body.error?.message ?? "", /another act on it waits for approval/);
  assert.equal(another.body.error?.actId, first.body.error?.actId);
  const entries = [
    { accountNo: accountId, direction: "debit", amount: "9999999999.00" },
    { accountNo: "funding:IDR", direction: "credit", amount: "9999999999.00" },
  ];
  const correction = await calls.call("Budi", "POST", "/corrections", { entries, ...words });
  assert.equal(correction.status, 409);
  assert.match(correction.body.error?.message ?? "", new RegExp(`^Account ${accountId}: `));
  const block = (by: string) =>
    calls.call(by, "PATCH", `/accounts/${accountId}`, { status: "blocked", reason: "theft" });
  const blocked = await block("Budi");
  assert.deepEqual((await block("operator")).body["actId"], blocked.body["actId"]);
  for (const { body } of [another, correction]) assert.doesNotMatch(JSON.stringify(body), new RegExp(accountNo));
});
