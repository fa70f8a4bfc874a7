/** The control API as docs/guides/sandbox.md has it: real sockets, a real database, two nodes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { parseTimestamp } from "@titian/contract";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { type ControlBody, controlToken, startControl } from "../support/start-control.ts";

const database = await useDatabase();
const control = await startControl(database.url);
const other = await startControl(database.url);
after(async () => {
  await control.close();
  await other.close();
  await database.drop();
});
const { call } = control;

test("a new account answers like GET, and every node has it", async () => {
  const created = await call("POST", "/accounts", { name: "Siti Rahayu", balance: "1500000.5" });
  assert.equal(created.status, 200);
  const { accountNo, accountId: _, ...rest } = created.body;
  assert.match(accountNo, /^\d{12}$/);
  assert.deepEqual(rest, {
    name: "Siti Rahayu",
    currency: "IDR",
    status: "active",
    type: "S",
    ledgerBalance: "1500000.50",
    availableBalance: "1500000.50",
  });
  const body = { ...created.body, limits: {}, minimumBalance: "0.00", partnerIds: [] };
  assert.deepEqual(await other.call("GET", `/accounts/${accountNo}`), { status: 200, body });
});

test("number, currency and partner of a new account can be chosen", async () => {
  const { partnerId, key } = valueOf(await onboardPartner(control.node, newPartner()));
  const wanted = { accountNo: "5550001", name: "Budi", currency: "JPY", balance: "700", partnerId, type: "D" };
  const { status, body } = await call("POST", "/accounts", wanted);
  assert.equal(status, 200);
  assert.deepEqual([body.accountNo, body.currency, body.ledgerBalance, body.type], ["5550001", "JPY", "700", "D"]);
  const { rows } = await control.node.reads.query(
    "select authorized_partner_ids as partners from accounts where account_no = '5550001'",
  );
  assert.deepEqual(rows, [{ partners: `{${key}}` }]);
  assert.equal((await call("POST", "/accounts", wanted)).body.error.code, "accountExists");
});

test("accounts are blocked, woken, closed with their money, and never opened again", async () => {
  const { accountNo } = (await call("POST", "/accounts", { name: "Agus", balance: "10.00" })).body;
  for (const status of ["blocked", "dormant", "active", "closed"]) {
    const answer = await call("PATCH", `/accounts/${accountNo}`, { status });
    assert.deepEqual([answer.status, answer.body.status, answer.body.ledgerBalance], [200, status, "10.00"]);
  }
  const reopened = await call("PATCH", `/accounts/${accountNo}`, { status: "active" });
  assert.deepEqual([reopened.status, reopened.body.error.code], [409, "accountClosed"]);
});

test("an account is funded once for each reference, on whichever node", async () => {
  const { accountNo } = (await call("POST", "/accounts", { name: "Sari", balance: "0" })).body;
  const body = { amount: "250000", reference: "first-salary" };
  for (const node of [control, other, control]) {
    const { status, body: answer } = await node.call("POST", `/accounts/${accountNo}/fund`, body);
    assert.deepEqual([status, answer.ledgerBalance], [200, "250000.00"]);
  }
  const { entries } = (await call("GET", `/accounts/${accountNo}/entries`)).body;
  assert.deepEqual(
    entries.map(({ kind, direction, amount }) => [kind, direction, amount]),
    [["funding", "credit", "250000.00"]],
  );
});

test("limits are set and lifted", async () => {
  const { accountNo } = (await call("POST", "/accounts", { name: "Rina", balance: "0" })).body;
  const limits = async () => {
    const { rows } = await control.node.reads.query(
      `select limit_per_transfer, limit_daily, limit_daily_count from accounts where account_no = '${accountNo}'`,
    );
    return rows[0];
  };
  await call("PATCH", `/accounts/${accountNo}`, { limits: { each: "100", daily: "250.50", dailyCount: 3 } });
  assert.deepEqual(await limits(), { limit_per_transfer: "10000", limit_daily: "25050", limit_daily_count: "3" });
  await call("PATCH", `/accounts/${accountNo}`, { limits: null });
  assert.deepEqual(await limits(), { limit_per_transfer: null, limit_daily: null, limit_daily_count: null });
});

test("entries come newest first, page by page", async () => {
  for (const balance of ["1.00", "2.00", "3.00"]) {
    await call("POST", "/accounts", { name: "Dewi", balance, currency: "SGD" });
  }
  const first = (await call("GET", "/accounts/funding:SGD/entries?limit=2")).body;
  const [newest] = first.entries;
  assert.deepEqual(
    [newest?.version, newest?.kind, newest?.direction, newest?.amount, newest?.balanceAfter],
    [3, "funding", "debit", "3.00", "-6.00"],
  );
  assert.match(String(newest?.referenceNo), /^[0-9A-Z]{26}$/);
  assert.match(String(newest?.at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/);
  assert.deepEqual([first.entries.length, first.next], [2, "2"]);
  const second = (await call("GET", `/accounts/funding:SGD/entries?limit=2&before=${first.next}`)).body;
  assert.deepEqual([second.entries.length, second.entries[0]?.amount, second.next], [1, "1.00", null]);
});

test("time moves forward on the answering node at once, on the other within 2 s, by both nodes' moves", async () => {
  const before = control.node.clock.now();
  const [one, two] = await Promise.all([
    call("POST", "/clock", { advanceSeconds: 3_600 }),
    other.call("POST", "/clock", { advanceSeconds: 1_800.5 }),
  ]);
  for (const { status, body } of [one, two]) assert.deepEqual([status, body.pending], [200, 0]);
  const both = before + 5_400_500;
  for (const { node } of [control, other]) {
    await eventually(() => node.clock.now() >= both);
  }
  const set = await call("POST", "/clock", { set: "2099-12-31T23:59:00+07:00" });
  assert.match(set.body.now, /^2099-12-31T23:59:0\d\+07:00$/);
  assert.equal(
    (await call("POST", "/clock", { set: set.body.now })).status,
    200,
    "asking for now again is no way back",
  );
  const back = await call("POST", "/clock", { set: "2099-12-31T23:00:00+07:00" });
  assert.deepEqual([back.status, back.body.error.field], [400, "set"]);
  const asked = (await call("GET", "/clock")).body;
  assert.ok((parseTimestamp(asked.now) ?? 0) >= (parseTimestamp(set.body.now) ?? 0));
});

test("a moved clock is kept: a node that starts later has it", async () => {
  await call("POST", "/clock", { advanceSeconds: 60 });
  const late = await startControl(database.url);
  const differenceMs = Math.abs(late.node.clock.now() - control.node.clock.now());
  await late.close();
  assert.ok(differenceMs < 1_000, `the later node is ${differenceMs} ms off`);
});

test("a partner's settings and its notification address", async () => {
  const { partnerId } = valueOf(await onboardPartner(control.node, newPartner()));
  const path = `/partners/${partnerId}/settings`;
  const set = await call("PUT", path, { rateLimit: 2.5, services: ["17"], notificationSigning: "symmetric" });
  const expected = {
    rateLimit: { perSecond: 2.5, burst: 3 },
    notificationSigning: "symmetric",
    notificationSignedPath: "whole",
    services: ["17"],
  };
  const connections = { notificationNetworks: [], notificationTlsMin: "1.3", clientCertificates: [], tlsMin: "1.3" };
  assert.deepEqual(set, { status: 200, body: { partnerId, ...expected, ...connections } });
  assert.deepEqual(control.node.reference.byPartnerId(partnerId)?.rateLimit, { perSecond: 2.5, burst: 3 });
  const kept = await call("PUT", path);
  assert.deepEqual(kept.body, set.body, "a call without a body changed something");
  const faster = await call("PUT", path, { rateLimit: { perSecond: 10, burst: 20 } });
  assert.deepEqual(faster.body.rateLimit, { perSecond: 10, burst: 20 });
  assert.equal((await call("PUT", path, { rateLimit: null })).body.rateLimit, null);
  const networks = ["private:10.20.0.0/16"];
  assert.deepEqual((await call("PUT", path, { notificationNetworks: networks })).body.notificationNetworks, networks);
  const forbidden = await call("PUT", path, { notificationNetworks: ["private:127.0.0.0/8"] });
  assert.deepEqual([forbidden.status, forbidden.body.error?.field], [400, "notificationNetworks"]);
  const address = `/partners/${partnerId}/notification-address`;
  assert.deepEqual((await call("GET", address)).body, { partnerId, url: null });
  assert.deepEqual(await call("PUT", address, { url: "http://127.0.0.1:9/base" }), await other.call("GET", address));
});

test("an authorization code is made for a partner and an account", async () => {
  const { partnerId } = valueOf(await onboardPartner(control.node, newPartner()));
  const { accountNo } = (await call("POST", "/accounts", { name: "Wulan", balance: "0" })).body;
  const made = await call("POST", "/auth-codes", { partnerId, accountNo });
  assert.deepEqual([made.status, Object.keys(made.body)], [200, ["authCode"]]);
  assert.match(made.body.authCode, /^[0-9A-Z]{26}\.0\.[\w-]{43}$/);
});

test("audit and notifications", async () => {
  assert.deepEqual(await call("GET", "/audit"), { status: 200, body: { ok: true, findings: [] } });
  const notifications = await call("GET", "/notifications?referenceNo=1");
  assert.deepEqual(notifications, { status: 200, body: { notifications: [], next: null } });
});

test("lists are filtered by what there is, in one order at a time, and counted when asked", async () => {
  const { partnerId } = valueOf(await onboardPartner(control.node, newPartner()));
  const number = toReferenceNo(newId());
  const rejected = [
    ["/transfers?partnerId=NOBODY", "partnerId"],
    ["/notifications?to=2026-02-30", "to"],
    ["/bulks?from=2026-13-01", "from"],
    [`/payment-requests?order=oldest&before=${number}`, "before"],
    [`/holds?after=${number}`, "after"],
    ["/holds?accountNo=1&state=open", "state"],
    ["/holds?merchantId=1", "merchantId"],
    ["/payment-requests?payerAccountNo=1&count=true", "count"],
    ["/accounts?minimum=1,5", "minimum"],
  ] as const;
  for (const [path, field] of rejected) {
    const { status, body } = await call("GET", path);
    assert.deepEqual([status, body.error.code, body.error.field], [400, "invalidField", field], path);
  }
  const filter = `partnerId=${partnerId}&from=2026-01-01&to=2099-12-31&count=true&order=oldest`;
  for (const list of ["transfers", "holds", "bulks", "payment-requests", "notifications"]) {
    const { status, body } = await call("GET", `/${list}?${filter}`);
    assert.deepEqual([status, body.next, body.count], [200, null, { rows: 0, isExact: true }], list);
  }
  const opened = (balance: string) => call("POST", "/accounts", { name: "Wulan", balance, partnerId });
  const [poor, rich] = [(await opened("9.99")).body, (await opened("10.00")).body];
  const ofPartner = async (more: string) => {
    const { body } = await call("GET", `/accounts?partnerId=${partnerId}&count=true${more}`);
    return [body.accounts.map(({ accountNo }) => accountNo), body.count.rows];
  };
  assert.deepEqual(await ofPartner(""), [[poor.accountNo, rich.accountNo].toSorted(), 2]);
  assert.deepEqual(await ofPartner("&minimum=10"), [[rich.accountNo], 1]);
  assert.deepEqual(await ofPartner("&status=blocked"), [[], 0]);
});

test("a body may be left out with its Content-Type, where nothing in it is mandatory", async () => {
  const { partnerId } = valueOf(await onboardPartner(control.node, newPartner()));
  const headers = { authorization: `Bearer ${controlToken}` };
  const bare = await fetch(`${control.baseUrl}/sandbox/partners/${partnerId}/settings`, { method: "PUT", headers });
  assert.equal(bare.status, 200);
  const posted = await fetch(`${control.baseUrl}/sandbox/clock`, { method: "POST", headers });
  assert.equal(posted.status, 400);
  assert.equal(((await posted.json()) as ControlBody).error.field, "advanceSeconds");
});

test("without the token nothing is shown, not even what there is", async () => {
  for (const authorization of ["", "Bearer", "Bearer other", `Basic ${controlToken}`, controlToken]) {
    for (const path of ["/clock", "/accounts/1", "/nowhere"]) {
      const { status, body } = await call("GET", path, undefined, { authorization });
      assert.deepEqual([status, body.error.code], [401, "unauthorized"], `${authorization} ${path}`);
    }
  }
});

test("impossible control calls are rejected with a code, a sentence and the field", async () => {
  const { partnerId } = valueOf(await onboardPartner(control.node, newPartner()));
  const settings = `/partners/${partnerId}/settings`;
  const account = { name: "Joko", balance: "1.00" };
  const { accountNo: closed } = (await call("POST", "/accounts", account)).body;
  await call("PATCH", `/accounts/${closed}`, { status: "closed" });
  const rows: readonly [string, string, unknown, string][] = [
    ["GET", "/accounts/0", undefined, "404 unknownAccount accountNo"],
    ["GET", "/accounts/%00", undefined, "404 unknownAccount accountNo"],
    ["POST", "/accounts", { name: "X", balance: "1", currency: "KWD" }, "400 invalidField currency"],
    ["POST", "/accounts/0/fund", { amount: "1", reference: "r" }, "404 unknownAccount accountNo"],
    ["POST", `/accounts/${closed}/fund`, { amount: "1", reference: "r" }, "409 accountClosed accountNo"],
    ["POST", "/accounts/5550001/fund", { amount: "1.5", reference: "r" }, "400 invalidField amount"],
    ["POST", "/accounts/5550001/fund", { amount: "0", reference: "r" }, "400 invalidField amount"],
    ["POST", "/accounts/5550001/fund", { amount: "1", reference: "r", currency: "IDR" }, "400 invalidField currency"],
    ["PATCH", "/accounts/0", { status: "active" }, "404 unknownAccount accountNo"],
    ["PATCH", "/accounts/funding:SGD", { status: "blocked" }, "404 unknownAccount accountNo"],
    ["PATCH", "/accounts/5550001", {}, "400 invalidField status"],
    ["PATCH", "/accounts/5550001", { status: "asleep" }, "400 invalidField status"],
    ["PATCH", "/accounts/5550001", { limits: { each: "1.5" } }, "400 invalidField limits"],
    ["POST", "/accounts", undefined, "400 invalidField name"],
    ["POST", "/accounts", { name: "Joko" }, "400 invalidField balance"],
    ["POST", "/accounts", { ...account, balance: 100 }, "400 invalidField balance"],
    ["POST", "/accounts", { ...account, balance: "-1.00" }, "400 invalidField balance"],
    ["POST", "/accounts", { ...account, balance: "1.005" }, "400 invalidField balance"],
    ["POST", "/accounts", { ...account, balance: "99999999999999999999" }, "400 invalidField balance"],
    ["POST", "/accounts", { ...account, currency: "IDX" }, "400 invalidField currency"],
    ["POST", "/accounts", { ...account, accountNo: "a b" }, "400 invalidField accountNo"],
    ["POST", "/accounts", { ...account, partnerId: "nobody" }, "400 invalidField partnerId"],
    ["POST", "/accounts", { ...account, colour: "red" }, "400 invalidField colour"],
    ["POST", "/accounts", { ...account, name: "" }, "400 invalidField name"],
    ["POST", "/accounts", "{", "400 invalidJson -"],
    ["POST", "/accounts", "[]", "400 invalidJson -"],
    ["GET", "/accounts/5550001/entries?limit=1001", undefined, "400 invalidField limit"],
    ["GET", "/accounts/5550001/entries?page=2", undefined, "400 invalidField page"],
    ["POST", "/clock", { advanceSeconds: -1 }, "400 invalidField advanceSeconds"],
    ["POST", "/clock", { advanceSeconds: 1, set: "2199-01-01T00:00:00Z" }, "400 invalidField advanceSeconds"],
    ["POST", "/clock", { set: "tomorrow" }, "400 invalidField set"],
    ["POST", "/clock", { set: "2950-01-01T00:00:00Z" }, "400 invalidField set"],
    ["PUT", settings, { services: ["99"] }, "400 invalidField services"],
    ["PUT", settings, { services: [17] }, "400 invalidField services"],
    ["PUT", settings, { rateLimit: 0 }, "400 invalidField rateLimit"],
    ["PUT", settings, { rateLimit: {} }, "400 invalidField rateLimit"],
    ["PUT", "/partners/nobody/settings", {}, "404 unknownPartner partnerId"],
    ["GET", "/partners/nobody/notification-address", undefined, "404 unknownPartner partnerId"],
    ["PUT", `/partners/${partnerId}/notification-address`, {}, "400 invalidField url"],
    ["PUT", `/partners/${partnerId}/notification-address`, { url: "nowhere" }, "400 invalidField url"],
    ["POST", "/auth-codes", {}, "400 invalidField partnerId"],
    ["POST", "/auth-codes", { partnerId }, "400 invalidField accountNo"],
    ["POST", "/auth-codes", { partnerId: "nobody", accountNo: "5550001" }, "404 unknownPartner partnerId"],
    ["POST", "/auth-codes", { partnerId, accountNo: "0" }, "404 unknownAccount accountNo"],
    ["POST", "/auth-codes", { partnerId, accountNo: "funding:SGD" }, "404 unknownAccount accountNo"],
    ["POST", "/auth-codes", { partnerId, accountNo: closed }, "409 accountClosed accountNo"],
    ["POST", "/nowhere", {}, "404 unknownCall -"],
    ["DELETE", "/clock", undefined, "404 unknownCall -"],
    ["POST", "/accounts", "x".repeat(70_000), "413 badRequest -"],
  ];
  for (const [method, path, body, expected] of rows) {
    const { status, body: answer } = await call(method, path, body);
    const { code, field = "-", message } = answer.error;
    assert.equal(`${status} ${code} ${field} ${message.at(-1)}`, `${expected} .`, `${method} ${path}: ${message}`);
  }
});
