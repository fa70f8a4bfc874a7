/** Client secrets that do not open: which of a partner's still count, how they are replaced, and what waits for that. */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { after, test, type TestContext } from "node:test";
import { signRsa } from "@titian/contract";
import type { QueryConfig } from "pg";
import { resealSecrets, type ResealOptions } from "../../packages/server/src/admin/reference/reseal-secrets.ts";
import { ensureSearchKeys, readSearchKeys } from "../../packages/server/src/admin/search/search-keys.ts";
import { rotateCredentials } from "../../packages/server/src/admin/partners/partner-credentials.ts";
import { type NewPartner, onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { createAddressGuard, sandboxRules } from "../../packages/server/src/notify/address-guard.ts";
import { createDeliverNotifications } from "../../packages/server/src/notify/delivery/deliver-notifications.ts";
import { createHttpClient } from "../../packages/server/src/notify/http-client.ts";
import { createNotificationSigner } from "../../packages/server/src/notify/sign-notification.ts";
import { type SecretPlace, sealClientSecret } from "../../packages/server/src/basics/client-secret-seal.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createSecrets, SealError, type Secrets, unknownSecret } from "../../packages/server/src/basics/secrets.ts";
import { ensureSealingKey } from "../../packages/server/src/compose/observe/watch-sealing-key.ts";
import { proposeAct } from "../../packages/server/src/store/tables/acts.ts";
import { readSealingKey } from "../../packages/server/src/store/reference/sealing-key.ts";
import { masterKeys, startNode, type TestNode } from "../support/administration.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startEndpoint } from "../support/black-box/endpoint.ts";
import { useDatabase } from "../support/database/database.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const [newest, older, next] = ["newest-secret-01234", "older-secret-012345", "next-secret-0123456"] as const;

type Change = (sealed: string, place: SecretPlace) => string | Promise<string>;

/** A partner whose newest secret is changed as given; the version is left, as whoever damages a row does. */
async function addDamaged(change: Change, terms: Partial<NewPartner> = {}) {
  const { partnerId, key } = valueOf(await onboardPartner(node, newPartner({ secrets: [newest, older], ...terms })));
  const found = await node.database.query<{ id: string; value: string }>({
    text: `select id, value from partner_credentials where partner = $1 and kind = 'secret' order by created_at desc, id desc limit 1`,
    values: [key],
  });
  const [id, value] = Object.values(found.rows[0] ?? {}) as [string, string];
  const changed = await change(value, { partner: key, credential: id });
  await runStatements(database.ownerUrl, [`update partner_credentials set value = '${changed}' where id = '${id}'`]);
  return { partnerId, key };
}

const replaceAt = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
const stranger = createSecrets({ current: randomBytes(32) });
const [ownKey = assert.fail()] = node.secrets.sealingKeys;
const moved = await sealClientSecret(ownKey, newest, { partner: newId(), credential: newId() });
const damages: readonly (readonly [string, Change])[] = [
  ["a flipped character", (sealed) => replaceAt(sealed, sealed.length - 5)],
  ["its end cut off", (sealed) => sealed.slice(0, -8)],
  ["only its beginning", (sealed) => sealed.slice(0, 12)],
  ["another text", () => "\u0001not sealed"],
  ["nothing", () => ""],
  ["moved from another row", () => moved],
  ["an empty text, sealed by hand", (_, place) => sealClientSecret(ownKey, "", place)],
  ["sealed for another partner by an earlier release", () => node.secrets.seal(newest, "partner-secret:other")],
];

for (const [name, change] of damages) {
  test(`${name}: the older secret counts, and a new one takes the place of the damaged one`, async () => {
    const { partnerId, key } = await addDamaged(change);
    await using other = await startNode(database.url);
    const credentials = () => {
      const { secrets, unreadableSecrets } = other.reference.byPartnerId(partnerId) ?? assert.fail();
      return [secrets, unreadableSecrets, other.reference.unreadableSecrets().get(partnerId)];
    };
    assert.deepEqual(credentials(), [[older], 1, 1]);
    const logged = other.logLines.filter((line) => line.includes(`"partner":"${partnerId}"`));
    assert.deepEqual([logged.length, logged[0]?.includes('"event":"partner.secret_unreadable"')], [1, true]);
    // Nothing is signed with an older secret instead, which the partner may have given up.
    const { secret, isSecretUnreadable } = other.reference.endpoints().get(key) ?? assert.fail();
    assert.deepEqual([secret, isSecretUnreadable], [undefined, true]);
    valueOf(await rotateCredentials(node, partnerId, { secret: next }));
    await other.refresh();
    assert.deepEqual(credentials(), [[next, older], undefined, undefined]);
    assert.equal(other.reference.endpoints().get(key)?.secret, next);
  });
}

test("a secret that names another master key stays until it is retired: it opens where that key is set", async () => {
  const { partnerId } = await addDamaged(() => stranger.seal(newest, "any"));
  await using other = await startNode(database.url);
  assert.equal(other.reference.unreadableSecrets().get(partnerId), 1);
  valueOf(await rotateCredentials(node, partnerId, { secret: next }));
  await other.refresh();
  assert.deepEqual(other.reference.byPartnerId(partnerId)?.secrets, [next]);
  assert.equal(other.reference.unreadableSecrets().get(partnerId), 1);
  valueOf(await rotateCredentials(node, partnerId, { secret: next, overlapMs: 0 }));
  await other.refresh();
  assert.equal(other.reference.unreadableSecrets().get(partnerId), undefined);
});

test("a start publishes the key that secrets are sealed with, the service alone writes it, and a changed one is put back", async () => {
  const { adminPool, reads, secrets, log, logLines } = node;
  const ensure = (keys = secrets, isStart = true) => ensureSealingKey({ adminPool, secrets: keys, log }, { isStart });
  const published = () => readSealingKey(reads);
  const own = { id: ownKey.id, publicKey: ownKey.publicKey };
  assert.deepEqual(await published(), own);
  const write = "select publish_sealing_key('00000000', repeat('A', 43), null, null)";
  await assert.rejects(node.database.query(write), /permission denied/);
  await adminPool.query(write);
  assert.deepEqual(await published(), own, "another one is replaced unseen");

  const forge = (id: string, key = "A".repeat(43)) =>
    runStatements(database.ownerUrl, [`update sealing_key set key_id = '${id}', public_key = '${key}'`]);
  await forge(own.id);
  const before = logLines.length;
  await ensure(secrets, false);
  assert.deepEqual(await published(), own);
  assert.match(logLines.slice(before).join(), /"sealing_key\.changed"/);
  await forge("0000000f");
  for (const isStart of [true, false])
    await assert.rejects(
      ensure(secrets, isStart),
      (error) => error instanceof SealError && /0000000f/.test(error.message),
    );

  // Another node publishes its key between a start's look and its own.
  const overtaken = {
    query: async (query: QueryConfig) => {
      if (query.name === "publish-sealing-key") await forge("0000000e");
      return adminPool.query(query);
    },
  } as unknown as typeof adminPool;
  await forge(own.id);
  await assert.rejects(ensureSealingKey({ adminPool: overtaken, secrets, log }, { isStart: true }), /0000000e/);

  const rotated = createSecrets({ current: randomBytes(32), previous: masterKeys.current });
  await forge(own.id, own.publicKey);
  await ensure(rotated, false);
  assert.deepEqual(await published(), own, "a node that runs replaces the previous one");
  await ensure(rotated);
  assert.equal((await published())?.id, rotated.sealingKeys[0]?.id);
  await assert.rejects(ensure(), SealError);
  await forge(own.id, own.publicKey);
});

test("a process with a master key seals with no key of another, and one without cannot tell whether a partner is the same", async () => {
  const forge = (id: string, key: string) =>
    runStatements(database.ownerUrl, [`update sealing_key set key_id = '${id}', public_key = '${key}'`]);
  const shop = newPartner({ secrets: [newest] });
  const { partnerId } = valueOf(await onboardPartner(node, shop));
  for (const [id, key] of [
    [ownKey.id, "A".repeat(43)],
    [stranger.sealingKeys[0]?.id ?? "", ownKey.publicKey],
  ] as const) {
    await forge(id, key);
    await assert.rejects(rotateCredentials(node, partnerId, { secret: next }), /is none of the master keys here/);
    await assert.rejects(onboardPartner(node, newPartner()), /is none of the master keys here/);
  }
  await forge(ownKey.id, ownKey.publicKey);

  const secrets: Secrets = { ...node.secrets, sealingKeys: [], openClientSecret: async () => unknownSecret };
  const repeat = (change: Partial<NewPartner> = {}) => onboardPartner({ ...node, secrets }, { ...shop, ...change });
  assert.match(JSON.stringify(await repeat()), /partnerExists.*without the master key secrets cannot be compared/);
  assert.match(JSON.stringify(await repeat({ name: "Another" })), /partnerExists.*exists and differs/);
});

/** Starts the delivery of notifications on a node; `failed` has the attempts that it could not make. */
function startDelivery(t: TestContext, { clock, adminPool, reference }: TestNode) {
  const [version, timeoutMs, failed] = ["v1.0", 100, [] as unknown[]] as const;
  const client = createHttpClient({ guard: createAddressGuard(sandboxRules), timeoutMs: 2_000, connections: 8 });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const sign = async (text: string) => signRsa(privateKey, text);
  const job = createDeliverNotifications({
    clock,
    client,
    signer: createNotificationSigner({ sign, clientId: "titian", version, client, real: Date.now }),
    version,
    database: adminPool,
    writeNotification: async ({ id }) => Buffer.from(JSON.stringify({ id })),
    endpoints: () => reference.endpoints(),
    endpointsAgeMs: () => reference.ageMs(),
    timeoutMs,
    events: { attempted: () => undefined, unconfirmed: () => undefined, failed: (_id, error) => failed.push(error) },
  });
  t.after(async () => {
    await job.close();
    await client.close();
  });
  return { job, failed };
}

test("notifications that cannot be signed are not claimed, delay nobody, and are sent once the secret is registered", async (t) => {
  const [endpoint, elsewhere] = [await startEndpoint(), await startEndpoint()];
  t.after(() => Promise.all([endpoint, elsewhere].map((one) => one[Symbol.asyncDispose]())));
  const address = { notificationAddress: endpoint.url };
  const damaged = await addDamaged(() => "damaged", { ...address, notificationSigning: "symmetric" });
  const healthy = valueOf(await onboardPartner(node, newPartner({ notificationAddress: elsewhere.url })));
  await using other = await startNode(database.url);
  const { job, failed } = startDelivery(t, other);
  const addWaiting = (partner: string, count: number, replayUrl?: string) =>
    node.adminPool.query(
      `insert into outbox (id, partner, service, aggregate_id, status, created_at, replay_url)
       select gen_random_uuid(), $1, 76, gen_random_uuid(), '00', now() - interval '1 minute', $3
       from generate_series(1, $2::int)`,
      [partner, count, replayUrl],
    );
  await addWaiting(damaged.key, 200);
  await addWaiting(damaged.key, 1, `${endpoint.url}/replay`);
  await addWaiting(healthy.key, 20);
  // Several times as long as a claim holds.
  for (let runs = 0; runs < 20; runs += 1) {
    await job.run(mayGoOn);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await elsewhere.until(20);
  assert.equal(failed.length, 0);
  assert.deepEqual([await job.pending(), endpoint.received.length], [0, 0]);
  const waiting = await node.adminPool.query<{ count: string }>(
    "select count(*) from outbox where partner = $1 and state = 'waiting' and attempt_count = 0",
    [damaged.key],
  );
  assert.deepEqual(Object.values(waiting.rows[0] ?? {}), ["201"]);

  valueOf(await rotateCredentials(node, damaged.partnerId, { secret: next }));
  await other.refresh();
  assert.equal(await job.pending(), 201);
  await eventually(async () => {
    await job.run(mayGoOn);
    return new Set(endpoint.received.map(({ body }) => body["id"])).size === 201;
  });
  assert.equal(failed.length, 0);
});

test("a new master key seals anew what the one before sealed, once nodes have it; what it cannot is counted", async () => {
  const { secrets, adminPool, log, reads } = node;
  const [shop, other] = [newPartner({ secrets: [newest] }), newPartner({ secrets: [newest, older] })];
  const { key } = valueOf(await onboardPartner(node, shop));
  const { key: otherKey } = valueOf(await onboardPartner(node, other));
  const damaged = await addDamaged((sealed) => replaceAt(sealed, sealed.length - 5));
  // As an earlier release sealed it.
  await runStatements(database.ownerUrl, [
    `update partner_credentials set value = '${secrets.seal(newest, `partner-secret:${key}`)}' where partner = '${key}' and kind = 'secret'`,
  ]);
  await ensureSearchKeys({ pool: adminPool, secrets }, new Set(["2026-11"]));
  const act = {
    kind: "partnerKey",
    target: other.partnerId,
    reference: "",
    before: undefined,
    reason: undefined,
  } as const;
  const added = { credentials: [{ id: newId(), kind: "secret", value: moved }] };
  const { id: actId } = await proposeAct(node.database, { ...act, id: newId(), after: added }, 60_000);

  const keys = { current: randomBytes(32), previous: masterKeys.current };
  const rotated = createSecrets(keys);
  const run = (options: ResealOptions = {}) => resealSecrets(database.ownerUrl, keys, options);
  const left = async () =>
    (await run({ isCheck: true })).left.map(({ what, keyId, count }) => `${what} ${keyId} ${count}`);
  const before = await left();
  for (const text of [`search keys ${ownKey.id} 1`, `acts that wait ${ownKey.id} 1`]) assert.ok(before.includes(text));
  await assert.rejects(run(), /Nothing was changed: nodes seal for master key .*Restart all nodes/);
  assert.deepEqual(await left(), before);

  await ensureSealingKey({ adminPool, secrets: rotated, log }, { isStart: true });
  await assert.rejects(resealSecrets(database.url, keys), /Run it as the owner of the database/);
  await assert.rejects(run({ onProgress: () => assert.fail("killed") }), /killed/);
  const both = await Promise.allSettled([run(), run()]);
  assert.ok(both.some(({ status }) => status === "fulfilled"));
  const last = await run();
  assert.deepEqual([last.keyId, last.resealed], [rotated.sealingKeys[0]?.id, 0]);
  assert.ok(last.damaged.some(({ partnerId }) => partnerId === damaged.partnerId));
  const ofOwn = (await left()).filter((text) => text.includes(ownKey.id) && !text.startsWith("client secrets"));
  assert.deepEqual(ofOwn, [`acts that wait ${ownKey.id} 1`]);
  const alone = createSecrets({ current: keys.current });
  const { rows } = await node.database.query<{ id: string; partner: string; value: string }>({
    text: "select id, partner, value from partner_credentials where kind = 'secret' and partner = any($1)",
    values: [[key, otherKey]],
  });
  const opened = rows.map(({ id, partner, value }) => alone.openClientSecret(value, { partner, credential: id }));
  assert.deepEqual((await Promise.all(opened)).map(String).toSorted(), [newest, newest, older].toSorted());
  assert.equal((await readSearchKeys({ pool: adminPool, secrets: alone })).length, 1);
  await queryRows(database.ownerUrl, `select apply_act('${actId}')`);
  assert.ok((await left()).every((text) => !text.startsWith("acts")));

  // A key that nobody has any more.
  const fresh = { current: randomBytes(32) };
  const { keyId: lost } = last;
  await assert.rejects(resealSecrets(database.ownerUrl, fresh, { lost: "0000000f" }), /Nothing was changed/);
  const { left: gone } = await resealSecrets(database.ownerUrl, fresh, { lost });
  assert.ok(gone.some(({ keyId }) => keyId === lost));
  assert.equal((await readSealingKey(reads))?.id, createSecrets(fresh).sealingKeys[0]?.id);
});
