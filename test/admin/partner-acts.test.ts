/** Partners under operators in charge: each change waits for its approval but a suspension, and no role writes a row otherwise. */
import assert from "node:assert/strict";
import { after as afterAll, test } from "node:test";
import { DatabaseError } from "pg";
import { revokeGrants } from "../../packages/server/src/admin/grants/customer-grants.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { registerMerchant } from "../../packages/server/src/admin/merchants/merchants.ts";
import { retireCredential, rotateCredentials } from "../../packages/server/src/admin/partners/partner-credentials.ts";
import { changePartner, onboardPartner, setPartnerStatus } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { zero } from "../../packages/server/src/ledger/money.ts";
import { findAct } from "../../packages/server/src/views/acts/acts.ts";
import { showPartner } from "../../packages/server/src/views/partners/credentials.ts";
import { eventually } from "../support/black-box/answers.ts";
import { approve, approver, ask, other, propose, refuse } from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { queryRows } from "../support/database/with-client.ts";
import { rejectionOf, valueOf, waiting } from "../support/expect.ts";
import { newPartner, newPublicKey } from "../support/partners.ts";
import { useReferenceActs } from "../support/reference-acts.ts";

const { bank, url, node, second, deps, applied, found, carryOut, close } = await useReferenceActs();
afterAll(close);
const words = { reason: "agreed on 3 November" };

async function newAccount(accountNo = newId().slice(-12)): Promise<string> {
  await carryOut(
    await openAccount(deps, { name: "A", currency: "IDR", type: "D", balance: zero, accountNo, ...words }),
  );
  return accountNo;
}

async function onboarded(terms: Parameters<typeof newPartner>[0] = {}) {
  const input = { ...newPartner(terms), ...words };
  await carryOut(await onboardPartner(deps, input));
  return input;
}

const does = async (id: string) => (await findAct({ pool: node.reads, reference: node.reference }, id))?.does ?? "";

test("a partner is added, changed and rotated once another operator has approved it, in words with before and after", async () => {
  const input = { ...newPartner({ services: ["17"] }), ...words };
  const adding = await onboardPartner(deps, input);
  assert.equal(node.reference.byPartnerId(input.partnerId), undefined);
  assert.match(
    await does(waiting(adding)),
    /^Add partner partner-\S+: name "Toko [^;]*"; .*; services 17; .*SHA-256 [0-9a-f]{64}; new client secret/,
  );
  await carryOut(adding);
  assert.deepEqual(node.reference.byPartnerId(input.partnerId)?.secrets, input.secrets);

  assert.equal(rejectionOf(await changePartner(deps, input.partnerId, { name: "B" })), "reasonMissing reason");
  const change = () => changePartner(deps, input.partnerId, { services: ["17", "18"], ...words });
  const changing = await change();
  assert.equal(waiting(await change()), waiting(changing));
  assert.match(await does(waiting(changing)), /^Change partner partner-\S+: services 17, 18 \(17\)$/);
  assert.equal(rejectionOf(await changePartner(deps, input.partnerId, { name: "B", ...words })), "actOpen -");
  await carryOut(changing);
  assert.deepEqual(node.reference.byPartnerId(input.partnerId)?.services, ["17", "18"]);
});

test("a credential is good until its overlap ends, by the clock, on each node, and one that is retired for 2 s at most", async () => {
  const {
    partnerId,
    secrets: [first = ""],
    publicKeys,
  } = await onboarded();
  const [next, key] = ["another-secret-0123456789", newPublicKey()];
  await carryOut(await rotateCredentials(deps, partnerId, { secret: next, overlapMs: 3_600_000, ...words }));
  await carryOut(await rotateCredentials(deps, partnerId, { publicKey: key, ...words }));
  const known = (of = node) => of.reference.byPartnerId(partnerId);
  await second.refresh();
  for (const one of [node, second]) {
    assert.deepEqual(
      [known(one)?.secrets, known(one)?.publicKeys],
      [
        [next, first],
        [key, ...publicKeys],
      ],
    );
    assert.equal(one.reference.expiringCredentials(14 * 86_400_000), 2);
    // Short of its end by more than this test takes.
    one.clock.setOffset(3_400_000);
    assert.deepEqual(known(one)?.secrets, [next, first]);
    one.clock.setOffset(3_601_000);
    assert.deepEqual([known(one)?.secrets, known(one)?.publicKeys.length], [[next], 2]);
  }
  const queries = { pool: node.reads, clock: node.clock };
  const shown = (await showPartner(queries, partnerId))?.credentials ?? [];
  assert.deepEqual(shown.map(({ kind, state }) => `${kind} ${state}`).toSorted(), [
    "publicKey expiring",
    "publicKey valid",
    "secret expired",
    "secret valid",
  ]);
  const newest = shown.find(({ kind, state }) => kind === "publicKey" && state === "valid")?.id ?? "";
  const older = shown.find(({ kind, state }) => kind === "publicKey" && state === "expiring")?.id ?? "";
  const end = (id: string) => retireCredential(deps, partnerId, { kind: "publicKey", id, ...words });
  assert.equal(rejectionOf(await end(newest)), "invalidField id");
  assert.equal(rejectionOf(await end(newId())), "invalidField id");
  await carryOut(await end(older));
  assert.deepEqual(known()?.publicKeys, [key]);
  await eventually(() => known(second)?.publicKeys.length === 1);
});

test("a suspension is done at once; refused it is taken back, approved it stands, and its end waits for approval", async () => {
  const { partnerId } = await onboarded();
  const status = () => node.reference.byPartnerId(partnerId)?.status;
  const suspend = async () => {
    const { note } = valueOf(await setPartnerStatus(deps, partnerId, "suspended", words));
    assert.equal(status(), "suspended");
    return /act show ([0-9a-f-]{36})/.exec(note ?? "")?.[1] ?? assert.fail(note);
  };
  const refused = await suspend();
  const early = await setPartnerStatus(deps, partnerId, "active", words);
  assert.equal(await ask(bank.urlOf(approver), approve(waiting(early))).then(String), "approved");
  assert.deepEqual(await applied(waiting(early)), ["rejected"]);
  assert.match(String(await found(waiting(early))), /waits for its approval: refuse that act/);
  assert.deepEqual(await ask(bank.urlOf(approver), refuse(refused)), ["refused"]);
  await node.refresh();
  assert.equal(status(), "active");
  assert.deepEqual(await ask(bank.urlOf(approver), approve(await suspend())), ["done"]);
  await carryOut(await setPartnerStatus(deps, partnerId, "active", words));
  assert.equal(status(), "active");
});

test("a retired partner is one for good: nothing of it changes any more, its keys are gone, and its merchants stay", async () => {
  const { partnerId, publicKeys } = await onboarded();
  const merchant = { partnerId, name: "SPBU", settlementAccountNo: await newAccount(), ...words };
  await carryOut(await registerMerchant(deps, { ...merchant, merchantId: "M-1" }));
  const changing = await changePartner(deps, partnerId, { name: "Later", ...words });
  await carryOut(await setPartnerStatus(deps, partnerId, "retired", words));
  const { status, publicKeys: left } = node.reference.byPartnerId(partnerId) ?? assert.fail();
  assert.deepEqual([status, left], ["retired", []]);
  assert.equal(rejectionOf(await setPartnerStatus(deps, partnerId, "active", words)), "invalidField partnerId");
  assert.equal(rejectionOf(await changePartner(deps, partnerId, { name: "B", ...words })), "invalidField partnerId");
  assert.deepEqual(await ask(bank.urlOf(approver), approve(waiting(changing))), ["approved"]);
  assert.deepEqual(await applied(waiting(changing)), ["rejected"]);
  assert.match(String(await found(waiting(changing))), /is retired for good/);
  const before = { status: "retired" };
  const late = propose(newId(), partnerId, "partnerResumption", { status: "active" }, { before });
  const [id = ""] = await ask(bank.urlOf(other), late.replace("select state", "select act_id"));
  await ask(bank.urlOf(approver), approve(id));
  assert.deepEqual(await applied(id), ["rejected"]);
  assert.deepEqual(await ask(bank.ownerUrl, "select count(*) from merchants where merchant_id = 'M-1'"), ["1"]);
  // Its public key may be another partner's, or its own under another id.
  await onboarded({ publicKeys });
});

test("no role writes a credential, and an act does so once, approved and of its kind alone", async () => {
  const { partnerId } = await onboarded();
  const content =
    "select string_agg(p::text || c::text, ',' order by c.id) from partners p join partner_credentials c on c.partner = p.id";
  const before = await ask(bank.ownerUrl, content);
  const direct = [
    "insert into partner_credentials (id, partner, kind, value, created_at) select gen_random_uuid(), id, 'publicKey', 'x', now() from partners",
    "update partner_credentials set expires_at = null",
    "delete from partner_credentials",
    "update partners set status = 'active'",
    "update merchants set name = 'x'",
    "select apply_partner_key(null)",
    "select run_act_function('apply_partner_key', null)",
    "select write_credentials(null, null)",
  ];
  const isDenied = (error: unknown) => error instanceof DatabaseError && error.code === "42501";
  for (const role of [url, node.url, roleUrlsOf(bank.url).administrationUrl, bank.urlOf(other)])
    for (const statement of direct) await assert.rejects(queryRows(role, statement), isDenied, statement);

  const adding = () => ({ credentials: [{ id: newId(), kind: "publicKey", value: newPublicKey() }] });
  const made = async (kind: string, after: object, lifetime = "1 day") => {
    const id = newId();
    const order = propose(id, partnerId, kind, after, undefined, id);
    await queryRows(bank.urlOf(other), order.replace("1 day", lifetime));
    return id;
  };
  const proposed = await made("partnerKey", adding());
  assert.deepEqual(await applied(proposed), ["proposed"]);
  await queryRows(bank.urlOf(approver), refuse(proposed));
  assert.deepEqual(await applied(proposed), ["refused"]);
  const late = await made("partnerKey", adding(), "1 millisecond");
  await ask(url, "select expire_acts()");
  assert.deepEqual(await applied(late), ["expired"]);
  const money = await made("return", {});
  await queryRows(bank.urlOf(approver), approve(money));
  await assert.rejects(applied(money), /is carried out by a node/);
  await assert.rejects(applied(newId()), /there is no act/);
  assert.deepEqual(await ask(bank.ownerUrl, content), before);

  const once = await made("partnerKey", adding());
  await queryRows(bank.urlOf(approver), approve(once));
  assert.deepEqual([await applied(once), await applied(once)], [["done"], ["done"]]);
  const wrong: readonly (readonly [after: object, found: RegExp])[] = [
    [{ credentials: [{ id: newId(), kind: "publicKey", value: "-----BEGIN PRIVATE KEY-----" }] }, /no credential/],
    [{ credentials: [{ id: newId(), kind: "token", value: "x" }] }, /no credential/],
    [{ credentials: [{ id: "x", kind: "publicKey", value: newPublicKey() }] }, /cannot be read/],
    [{ credentials: [{ id: newId(), kind: "secret", value: "a plain secret" }] }, /no credential/],
    [{ end: [{ id: newId() }] }, /has no credential/],
    [{ end: await endsOf(partnerId) }, /no credential to sign with/],
  ];
  for (const [after, because] of wrong) {
    const id = await made("partnerKey", after);
    await queryRows(bank.urlOf(approver), approve(id));
    assert.deepEqual(await applied(id), ["rejected"]);
    assert.match(String(await found(id)), because);
  }
});

const endsOf = async (partnerId: string) =>
  (
    await ask(
      bank.ownerUrl,
      `select c.id from partner_credentials c join partners p on p.id = c.partner where p.partner_id = '${partnerId}' and c.kind = 'publicKey'`,
    )
  ).map((id) => ({ id }));

test("terms that no command would take are rejected by the database, too", async () => {
  const { partnerId, name, signing, channelId } = await onboarded();
  const settings = JSON.parse(
    String(await ask(bank.ownerUrl, `select settings::text from partners where partner_id = '${partnerId}'`)),
  ) as object;
  const terms = { name, signing, channelId, settings };
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ name: "" }, /no name/],
    [{ signing: "none" }, /no signing/],
    [{ channelId: "952210" }, /no channel id/],
    [{ settings: { ...settings, services: ["1x"] } }, /no service/],
    [{ settings: { ...settings, services: "17" } }, /no service/],
    [{ settings: { ...settings, addresses: ["example.com"] } }, /no address/],
    [{ settings: { ...settings, rateLimit: { perSecond: 0, burst: 1 } } }, /no rate limit/],
    [{ settings: { ...settings, rateLimit: {} } }, /no rate limit/],
    [{ settings: { ...settings, timestampWindowSeconds: 3_601 } }, /no time window/],
    [{ settings: { ...settings, notificationAddress: "ftp://a" } }, /no notification address/],
    [{ settings: { ...settings, isAdmin: true } }, /no setting/],
  ];
  for (const [change, because] of wrong) {
    const id = newId();
    await queryRows(bank.urlOf(other), propose(id, partnerId, "partner", { ...terms, ...change }, terms));
    await queryRows(bank.urlOf(approver), approve(id));
    assert.deepEqual(await applied(id), ["rejected"]);
    assert.match(String(await found(id)), because);
  }
  const id = newId();
  await queryRows(bank.urlOf(other), propose(id, partnerId, "partner", terms, { ...terms, name: "Older" }));
  await queryRows(bank.urlOf(approver), approve(id));
  assert.deepEqual(await applied(id), ["rejected"]);
  assert.match(String(await found(id)), /was changed since/);
});

test("a consent is revoked at once, and again while the first revocation waits", async () => {
  const { partnerId } = await onboarded();
  const accountNo = await newAccount();
  for (let count = 0; count < 2; count += 1) {
    await queryRows(
      bank.ownerUrl,
      `insert into customer_grants select gen_random_uuid(), p.id, a.id, 0, decode(repeat('00', 32), 'hex'), now() + interval '1 hour'
        from partners p, accounts a where p.partner_id = '${partnerId}' and a.account_no = '${accountNo}'`,
    );
    const revoked = valueOf(await revokeGrants(deps, { partnerId, accountNo, ...words }));
    assert.match(revoked.note ?? "", /until another operator decides/);
  }
  assert.deepEqual(await ask(bank.ownerUrl, "select count(*) from customer_grants"), ["0"]);
  assert.deepEqual(await ask(bank.ownerUrl, "select count(*) from ended_grants"), ["2"]);
});
