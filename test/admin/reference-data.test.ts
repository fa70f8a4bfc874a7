import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type NewMerchant, registerMerchant } from "../../packages/server/src/admin/merchants/merchants.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { rotateCredentials } from "../../packages/server/src/admin/partners/partner-credentials.ts";
import { changePartner, onboardPartner, setPartnerStatus } from "../../packages/server/src/admin/partners/partners.ts";
import { type Secrets, unknownSecret } from "../../packages/server/src/basics/secrets.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { minor, zero } from "../../packages/server/src/ledger/money.ts";
import { changeReference } from "../../packages/server/src/store/reference/reference.ts";
import { eventually } from "../support/black-box/answers.ts";
import { withClient } from "../support/database/with-client.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { newPartner, newPublicKey } from "../support/partners.ts";
import { useTwoNodes } from "../support/two-nodes.ts";

const { node, other, ownerUrl } = await useTwoNodes();

test("a partner is known at once where it was onboarded, and everywhere within 2 s", async () => {
  const input = newPartner({ addresses: ["10.0.0.0/8"], rateLimit: { perSecond: 5, burst: 10 } });
  const { key } = valueOf(await onboardPartner(node, input));
  const known = node.reference.byPartnerId(input.partnerId);
  assert.deepEqual(known, {
    key,
    partnerId: input.partnerId,
    clientKey: input.clientKey,
    status: "active",
    signing: "symmetric",
    secrets: input.secrets,
    publicKeys: input.publicKeys,
    services: known?.services,
    addresses: ["10.0.0.0/8"],
    rateLimit: { perSecond: 5, burst: 10 },
    acceptsMinifiedSignature: true,
    channelIdLengthMax: 5,
  });
  assert.ok(known?.services.includes("17"));
  assert.equal(node.reference.byClientKey(input.clientKey), known);
  assert.equal(node.reference.byKey(key), known);
  assert.equal(node.reference.current().partners.get(key)?.partnerId, input.partnerId);
  assert.deepEqual(await eventually(() => other.reference.byPartnerId(input.partnerId)), known);
  // A busy machine takes longer at times.
  for (let tries = 0, tookMs = Infinity; tookMs > 2_000; tries += 1) {
    assert.ok(tries < 5, `the other node knew none of ${tries} partners within 2 s`);
    const startedAt = performance.now();
    const next = valueOf(await onboardPartner(node, newPartner()));
    await eventually(() => other.reference.byKey(next.key), 20);
    tookMs = performance.now() - startedAt;
  }
});

test("secrets are sealed at rest", async () => {
  const input = newPartner();
  const { key } = valueOf(await onboardPartner(node, input));
  const { rows } = await node.reads.query(
    "select value from partner_credentials where partner = $1 and kind = 'secret'",
    [key],
  );
  assert.equal(rows.length, 1);
  assert.match(JSON.stringify(rows), /"2\.[0-9a-f]{8}\.[\w-]+"/);
  assert.ok(!JSON.stringify(rows).includes(input.secrets[0] ?? ""));
});

test("suspending ends a partner everywhere, resuming brings it back, and the others stay the same objects", async () => {
  const bystander = newPartner();
  valueOf(await onboardPartner(node, bystander));
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  await node.refresh();
  const before = node.reference.byPartnerId(bystander.partnerId);
  valueOf(await setPartnerStatus(node, partnerId, "suspended"));
  assert.equal(node.reference.byPartnerId(partnerId)?.status, "suspended");
  await eventually(() => other.reference.byPartnerId(partnerId)?.status === "suspended");
  valueOf(await setPartnerStatus(node, partnerId, "active"));
  assert.equal(node.reference.byPartnerId(partnerId)?.status, "active");
  assert.equal(node.reference.byPartnerId(bystander.partnerId), before);
});

test("two credentials of a kind are valid, the newest first; retiring leaves one", async () => {
  const [first, second, third] = ["first-secret-0123456", "second-secret-012345", "third-secret-0123456"] as const;
  const { partnerId } = valueOf(await onboardPartner(node, newPartner({ secrets: [first] })));
  const secrets = () => node.reference.byPartnerId(partnerId)?.secrets;
  valueOf(await rotateCredentials(node, partnerId, { secret: second }));
  assert.deepEqual(secrets(), [second, first]);
  valueOf(await rotateCredentials(node, partnerId, { secret: second }));
  assert.deepEqual(secrets(), [second, first], "a repeated rotation changed something");
  valueOf(await rotateCredentials(node, partnerId, { secret: third }));
  assert.deepEqual(secrets(), [third, second]);
  valueOf(await rotateCredentials(node, partnerId, { secret: third, overlapMs: 0 }));
  assert.deepEqual(secrets(), [third]);
});

test("without a master key a secret is added, and no third one beside two that may be it", async () => {
  const secrets: Secrets = { ...node.secrets, sealingKeys: [], openClientSecret: async () => unknownSecret };
  const command = { ...node, secrets };
  const [first, second, third] = ["first-secret-0123456", "second-secret-012345", "third-secret-0123456"] as const;
  const { partnerId } = valueOf(await onboardPartner(command, newPartner({ secrets: [first] })));
  const known = () => node.reference.byPartnerId(partnerId)?.secrets;
  valueOf(await rotateCredentials(command, partnerId, { secret: second }));
  for (const secret of [second, third])
    assert.equal(rejectionOf(await rotateCredentials(command, partnerId, { secret })), "invalidField secret");
  assert.deepEqual(known(), [second, first]);
  valueOf(await rotateCredentials(command, partnerId, { secret: third, overlapMs: 0 }));
  assert.deepEqual(known(), [third]);
});

test("a private key given as a partner's public one is rejected, and said to be leaked", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  for (const result of [
    await onboardPartner(node, newPartner({ publicKeys: [pem] })),
    await rotateCredentials(node, partnerId, { publicKey: pem }),
  ]) {
    assert.equal(rejectionOf(result), "invalidField publicKeys");
    const text = JSON.stringify(result);
    assert.match(text, /is a private key, which never leaves its owner: .* as leaked/);
    assert.doesNotMatch(text, /BEGIN/);
  }
});

test("a public key is one partner's, in onboarding, in rotation and in the database", async () => {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
  const { partnerId: otherId } = valueOf(await onboardPartner(node, newPartner()));
  const [own = ""] = node.reference.byPartnerId(partnerId)?.publicKeys ?? [];
  assert.equal(rejectionOf(await rotateCredentials(node, otherId, { publicKey: own })), "partnerExists publicKeys");
  const next = newPublicKey();
  valueOf(await rotateCredentials(node, partnerId, { publicKey: next }));
  assert.deepEqual(node.reference.byPartnerId(partnerId)?.publicKeys, [next, own]);
  const copy = `insert into partner_credentials (id, partner, kind, value, created_at)
    select gen_random_uuid(), p.id, c.kind, c.value, c.created_at from partner_credentials c, partners p
    where c.partner = $1 and c.kind = 'publicKey' and p.partner_id = $2`;
  await assert.rejects(
    withClient(ownerUrl, (client) => client.query(copy, [key, otherId])),
    /another partner has this public key/,
  );
});

test("onboarding may be repeated, and never changes a partner that is there", async () => {
  const input = newPartner();
  const first = valueOf(await onboardPartner(node, input));
  assert.equal(valueOf(await onboardPartner(node, input)).key, first.key);
  const rows: readonly [Parameters<typeof newPartner>[0], string][] = [
    [{ ...input, name: "Another" }, "partnerExists partnerId"],
    [{ ...input, secrets: ["another-secret-0123"] }, "partnerExists partnerId"],
    [{ clientKey: input.clientKey }, "partnerExists clientKey"],
    [{ publicKeys: [newPublicKey(), ...input.publicKeys] }, "partnerExists publicKeys"],
  ];
  for (const [terms, expected] of rows)
    assert.equal(rejectionOf(await onboardPartner(node, newPartner(terms))), expected);
});

test("invalid partners are rejected, naming the field", async () => {
  const rows: readonly [Parameters<typeof newPartner>[0], string][] = [
    [{ partnerId: "" }, "partnerId"],
    [{ partnerId: "a b" }, "partnerId"],
    [{ clientKey: "x".repeat(65) }, "clientKey"],
    [{ clientKey: "shop|01" }, "clientKey"],
    [{ name: "two\nlines" }, "name"],
    [{ channelId: "952210" }, "channelId"],
    [{ secrets: [] }, "secrets"],
    [{ secrets: ["short"] }, "secrets"],
    [{ secrets: ["a".repeat(16), "b".repeat(16), "c".repeat(16)] }, "secrets"],
    [{ publicKeys: [] }, "publicKeys"],
    [{ publicKeys: ["no key"] }, "publicKeys"],
    [{ publicKeys: [newPublicKey({ bits: 1_024 })] }, "publicKeys"],
    [{ publicKeys: [newPublicKey({ bits: 8_192 })] }, "publicKeys"],
    [{ publicKeys: [newPublicKey({ exponent: 3 })] }, "publicKeys"],
    [{ publicKeys: [newPublicKey({ exponent: 65_538 })] }, "publicKeys"],
    [{ publicKeys: [newPublicKey({ isOdd: false })] }, "publicKeys"],
    [{ services: ["17", "99"] }, "services"],
    [{ services: ["21"] }, "services"],
    [{ addresses: ["10.0.0.0/33"] }, "addresses"],
    [{ addresses: ["example.com"] }, "addresses"],
    [{ rateLimit: { perSecond: 0, burst: 1 } }, "rateLimit"],
    [{ notificationAddress: "ftp://example.com" }, "notificationAddress"],
    [{ notificationAddress: "http://user:secret@example.com" }, "notificationAddress"],
  ];
  for (const [terms, field] of rows) {
    assert.equal(rejectionOf(await onboardPartner(node, newPartner(terms))), `invalidField ${field}`);
  }
  assert.equal(rejectionOf(await changePartner(node, "nobody", { name: "x" })), "unknownPartner partnerId");
});

test("a new partner has 50 calls a second and 100 at once, stored; one from before has none, also when it is added again", async () => {
  const { rateLimit: _none, ...input } = newPartner();
  const { key, settings } = valueOf(await onboardPartner(node, input));
  assert.deepEqual(settings.rateLimit, { perSecond: 50, burst: 100 });
  const { rows } = await node.reads.query("select settings->'rateLimit'->>'burst' from partners where id = $1", [key]);
  assert.deepEqual(rows, [{ "?column?": "100" }]);
  assert.equal(valueOf(await onboardPartner(node, input)).key, key);

  valueOf(await changePartner(node, input.partnerId, { rateLimit: null }));
  const again = valueOf(await onboardPartner(node, input));
  assert.deepEqual([again.key, again.settings.rateLimit], [key, undefined]);
  assert.equal(node.reference.byPartnerId(input.partnerId)?.rateLimit, undefined);
  const limited = await onboardPartner(node, { ...input, rateLimit: { perSecond: 50, burst: 100 } });
  assert.equal(rejectionOf(limited), "partnerExists partnerId");
});

test("settings change one by one", async () => {
  const { partnerId } = valueOf(await onboardPartner(node, newPartner({ rateLimit: { perSecond: 1, burst: 1 } })));
  valueOf(await changePartner(node, partnerId, { services: ["15"] }));
  valueOf(await changePartner(node, partnerId, { notificationAddress: "http://127.0.0.1:1/base" }));
  valueOf(await changePartner(node, partnerId, { channelIdLengthMax: 10, timestampWindowSeconds: 900 }));
  valueOf(await changePartner(node, partnerId, { channelId: "WEB0000001" }));
  const { settings } = valueOf(await changePartner(node, partnerId, { rateLimit: null }));
  assert.deepEqual(settings, {
    services: ["15"],
    addresses: [],
    acceptsMinifiedSignature: true,
    notificationSigning: "asymmetric",
    notificationAddress: "http://127.0.0.1:1/base",
    channelIdLengthMax: 10,
    timestampWindowSeconds: 900,
  });
  const certificate = "ab".repeat(32);
  const clientCertificates = ["AB:".repeat(32).slice(0, -1)];
  valueOf(await changePartner(node, partnerId, { clientCertificates, tlsMin: "1.2" }));
  const agreed = node.reference.byPartnerId(partnerId);
  assert.deepEqual([agreed?.clientCertificates, agreed?.tlsMin], [[certificate], "1.2"]);
  for (const wrong of [["ab"], [certificate.replace("a", "g")], Array<string>(5).fill(certificate)]) {
    const answer = await changePartner(node, partnerId, { clientCertificates: wrong });
    assert.equal(rejectionOf(answer), "invalidField clientCertificates");
  }
  const ended = valueOf(await changePartner(node, partnerId, { clientCertificates: [], tlsMin: "1.3" }));
  assert.deepEqual(ended.settings, settings);
  const known = node.reference.byPartnerId(partnerId);
  assert.deepEqual([known?.rateLimit, known?.channelIdLengthMax, known?.timestampWindowMs], [undefined, 10, 900_000]);
});

test("a change whose connection is ended fails alone, and the next one goes through", async () => {
  const { partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const cut = changeReference(node.database, async (client) => {
    const { rows } = await client.query<{ pid: string }>("select pg_backend_pid() as pid");
    await node.database.query("select pg_terminate_backend($1::int)", [rows[0]?.pid]);
    await client.query("select pg_sleep(2)");
  });
  await assert.rejects(cut);
  assert.equal(valueOf(await changePartner(node, partnerId, { name: "After" })).name, "After");
});

test("a merchant belongs to one partner and to accounts that are there", async () => {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
  const account = { name: "Warung Bu Tini", currency: "IDR", type: "D", balance: zero } as const;
  const settlement = valueOf(await openAccount(node, account));
  const payer = valueOf(await openAccount(node, account));
  const foreign = valueOf(await openAccount(node, { ...account, currency: "USD" }));
  const input = {
    partnerId,
    merchantId: "M-1",
    name: "Warung",
    settlementAccountNo: settlement.accountNo,
    payerAccountNo: payer.accountNo,
    defaultHoldAmount: minor(15000000n),
  };
  valueOf(await registerMerchant(node, input));
  valueOf(await registerMerchant(node, { ...input, customerTokenRequired: false }));
  const terms = node.reference.current().merchants.get(merchantKeyOf(key, "M-1"));
  assert.deepEqual(
    [terms?.settlementAccount, terms?.payerAccount, terms?.defaultHoldAmount],
    [settlement.id, payer.id, 15_000_000n],
  );
  assert.deepEqual([terms?.customerTokenRequired, terms?.holdMs], [false, 604_800_000]);
  const rows: readonly [Partial<NewMerchant>, string][] = [
    [{ name: "Other" }, "merchantExists merchantId"],
    [{ customerTokenRequired: true }, "merchantExists merchantId"],
    [{ holdSeconds: 60 }, "merchantExists merchantId"],
    [{ partnerId: "nobody" }, "unknownPartner partnerId"],
    [{ merchantId: "" }, "invalidField merchantId"],
    [{ settlementAccountNo: "0" }, "unknownAccount settlementAccountNo"],
    [{ settlementAccountNo: "funding:IDR" }, "unknownAccount settlementAccountNo"],
    [{ payerAccountNo: "0" }, "unknownAccount payerAccountNo"],
    [{ payerAccountNo: foreign.accountNo }, "invalidField payerAccountNo"],
    [{ defaultHoldAmount: zero }, "invalidField defaultHoldAmount"],
    [{ holdSeconds: 59 }, "invalidField holdSeconds"],
    [{ holdSeconds: 7_776_001 }, "invalidField holdSeconds"],
    [{ holdSeconds: 60.5 }, "invalidField holdSeconds"],
  ];
  for (const [change, expected] of rows) {
    assert.equal(rejectionOf(await registerMerchant(node, { ...input, ...change })), expected);
  }
});

test("a merchant may need a customer token and hold for a time of its own", async () => {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
  const account = { name: "Hotel", currency: "IDR", type: "D", balance: zero } as const;
  const { accountNo: settlementAccountNo } = valueOf(await openAccount(node, account));
  const merchant = { partnerId, name: "Hotel", settlementAccountNo };
  for (const [merchantId, holdSeconds] of [
    ["SHORT", 60],
    ["LONG", 7_776_000],
  ] as const) {
    const input = { ...merchant, merchantId, customerTokenRequired: true, holdSeconds };
    const first = valueOf(await registerMerchant(node, input));
    assert.equal(valueOf(await registerMerchant(node, input)).key, first.key);
    const terms = node.reference.current().merchants.get(merchantKeyOf(key, merchantId));
    assert.deepEqual([terms?.customerTokenRequired, terms?.holdMs], [true, holdSeconds * 1_000]);
  }
});
