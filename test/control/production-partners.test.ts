// A partner's whole life by the calls of a production node, each proposed by one operator and approved by another.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SecurityFacts } from "../../packages/server/src/observability/security/security-event.ts";
import { startNode } from "../support/administration.ts";
import { dropOperators, issuer, other, useBank } from "../support/database/operators.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows } from "../support/database/with-client.ts";
import { newPublicKey } from "../support/partners.ts";
import { startPlainCore } from "../support/plain-core.ts";
import { startProductionCalls } from "../support/production-calls.ts";

type Members = Readonly<Record<string, unknown>>;

const database = await useDatabase();
const publicKey = newPublicKey();
// It publishes the key that secrets are sealed with.
await (await startNode(database.url)).close();
const bank = await useBank(database.ownerUrl);
await bank.hire("operator");
const core = await startPlainCore(roleUrlsOf(bank.url).url, { environment: "production" });
const read: (SecurityFacts & { readonly event: string })[] = [];
const calls = await startProductionCalls({
  core,
  bank,
  hired: { operator: "operator", viewer: "viewer" },
  subjects: ["operator", "viewer", "Budi", "Adi"],
  security: { add: (event, _share, facts) => void read.push({ event, ...facts() }) },
});
after(async () => {
  await calls[Symbol.asyncDispose]();
  await core[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const [partner, secret] = ["/partners/SHOP01", "a-secret-of-the-partner-alone"];
const wanted = { reason: "a contract", ticket: "CRM-7" };
const newest = async () => {
  const { body } = await calls.call("Adi", "GET", "/acts?open=true");
  return (body["acts"] as readonly { actId: string; hash: string; does: string }[])[0];
};
const done = async (method: string, path: string, body: object = {}) => {
  const proposed = await calls.call("Budi", method, `${partner}${path}`, { ...body, ...wanted });
  assert.equal(proposed.status, 202, JSON.stringify(proposed.body));
  const act = await newest();
  assert.ok(act);
  for (const found of [proposed.body, act, (await calls.call("Adi", "GET", `/acts/${act.actId}`)).body])
    assert.doesNotMatch(JSON.stringify(found), /secret-of-the-partner/i);
  assert.equal((await calls.call("Budi", "POST", `/acts/${act.actId}/approve`, { hash: act.hash })).status, 403);
  const approval = await calls.call("Adi", "POST", `/acts/${act.actId}/approve`, { hash: act.hash });
  assert.deepEqual(approval.body, { state: "approved" });
  await queryRows(bank.urlOf(other), `select apply_act('${act.actId}')`);
  return act.does;
};
const shown = async () => (await calls.call("viewer", "GET", partner)).body;
const credentials = async () => (await shown())["credentials"] as readonly Members[];
const terms = { name: "Toko", channelId: "95221", signing: "symmetric", secrets: [secret], publicKeys: [publicKey] };

test("a partner is added by two operators, with terms that can be read", async () => {
  assert.match(await done("PUT", "", terms), /^Add partner SHOP01: name "Toko"; .*; new client secret /);
  for (const [field, value] of [
    ["name", "T\ud800"],
    ["name", "Toko\u202e"],
    ["name", "Toko\u2028services 17"],
    ["notificationAddress", "https://toko.example/\ud800"],
    ["notificationAddress", "https://toko.example/ snap"],
    ["notificationAddress", "https://toko.example/snap\n"],
    ["notificationAddress", `https://toko.example/${"x".repeat(2_000)}`],
  ] as const) {
    const { status, body } = await calls.call("Budi", "PUT", `${partner}/settings`, { [field]: value, ...wanted });
    assert.deepEqual([status, body.error?.field], [400, field], JSON.stringify(value));
  }
});

test("the security log has each comparison with a client secret, since a right guess makes no act", async () => {
  // The same again is no other one.
  assert.equal((await calls.call("Budi", "PUT", partner, terms)).status, 200);
  read.length = 0;
  assert.equal((await calls.call("Budi", "POST", `${partner}/secrets`, { secret })).status, 200);
  assert.equal((await calls.call("Budi", "PUT", partner, { ...terms, secrets: [`${secret}!`] })).status, 409);
  const comparison = ["client_secret.compared", `${issuer} Budi`, "SHOP01"];
  assert.deepEqual(
    read.map(({ event, identity, partner: of, operation }) => [event, identity, of, operation]),
    [
      [...comparison, "partner add-secret"],
      [...comparison, "partner add"],
    ],
  );
});

test("its terms, keys and status are proposed and approved, and its secret is shown by none", async () => {
  await done("PUT", "/settings", { rateLimit: 20, notificationAddress: "https://toko.example/snap" });
  await done("POST", "/secrets", { secret: secret.toUpperCase(), overlapSeconds: 3_600 });
  await done("POST", "/keys", { publicKey: newPublicKey() });
  const all = await credentials();
  assert.deepEqual(
    all.map(({ kind, state }) => [kind, state]),
    [
      ["publicKey", "valid"],
      ["secret", "valid"],
      ["secret", "expiring"],
      ["publicKey", "expiring"],
    ],
  );
  await done("POST", `/secrets/${String(all[2]?.["id"])}/retire`);
  await done("POST", `/keys/${String(all[3]?.["id"])}/retire`);
  const last = (await credentials()).find(({ kind }) => kind === "secret");
  const onlyOne = await calls.call("Budi", "POST", `${partner}/secrets/${String(last?.["id"])}/retire`, wanted);
  assert.deepEqual([onlyOne.status, onlyOne.body.error?.message.slice(0, 30)], [400, "It is the only client secret t"]);
  const suspended = await calls.call("Budi", "POST", `${partner}/suspend`, wanted);
  assert.deepEqual([suspended.status, suspended.body["status"]], [200, "suspended"]);
  assert.match(String(suspended.body["note"]), /stands until another operator decides on it/);
  const open = await newest();
  assert.equal(suspended.body["actId"], open?.actId);
  // Another operator, who has the same in mind, is answered the act that has made it so.
  assert.deepEqual((await calls.call("operator", "POST", `${partner}/suspend`, wanted)).body, suspended.body);
  await calls.call("Adi", "POST", `/acts/${open?.actId}/approve`, { hash: open?.hash });
  await done("POST", "/resume");
  await done("POST", "/retire");
  assert.deepEqual([(await shown())["status"], await credentials()], ["retired", []]);
  for (const [path, body] of [
    ["/secrets", { secret }],
    ["/keys", { publicKey }],
    [`/secrets/${String(last?.["id"])}/retire`, {}],
  ] as const) {
    const late = await calls.call("Budi", "POST", `${partner}${path}`, { ...body, ...wanted });
    assert.deepEqual([late.status, late.body.error?.field], [400, "partnerId"], path);
  }
});
