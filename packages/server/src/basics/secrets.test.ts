import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sealClientSecret } from "./client-secret-seal.ts";
import { createSecrets, SealError } from "./secrets.ts";

const current = randomBytes(32);
const previous = randomBytes(32);

test("a sealed secret opens to the same text and differs each time", () => {
  const secrets = createSecrets({ current });
  const [one, two] = [secrets.seal("rahasia ✓", "partner:1"), secrets.seal("rahasia ✓", "partner:1")];
  assert.notEqual(one, two);
  assert.ok(!one.includes("rahasia"));
  assert.equal(secrets.open(one, "partner:1"), "rahasia ✓");
});

test("it does not open for another context, another key, or when changed", () => {
  const secrets = createSecrets({ current });
  const sealed = secrets.seal("rahasia", "partner:1");
  const last = sealed.at(-1) === "A" ? "B" : "A";
  assert.throws(() => secrets.open(sealed, "partner:2"), SealError);
  assert.throws(() => secrets.open(sealed.slice(0, -3) + last.repeat(3), "partner:1"), SealError);
  assert.throws(() => secrets.open("rahasia", "partner:1"), SealError);
  assert.throws(() => createSecrets({ current: previous }).open(sealed, "partner:1"), /TITIAN_MASTER_KEY_PREVIOUS/);
});

test("after a rotation the old key still opens, and what it sealed is stale", () => {
  const sealed = createSecrets({ current: previous }).seal("rahasia", "partner:1");
  const rotated = createSecrets({ current, previous });
  assert.equal(rotated.open(sealed, "partner:1"), "rahasia");
  assert.equal(rotated.isStale(sealed), true);
  assert.equal(rotated.isStale(rotated.seal("rahasia", "partner:1")), false);
});

const secretText = "a-client-secret-0";
const place = { partner: "1", credential: "2" };
const keyOf = (secrets: ReturnType<typeof createSecrets>) => secrets.sealingKeys[0] ?? assert.fail();

test("who has the public key alone seals a client secret; who has the master key opens it, for its partner and credential", async () => {
  const secrets = createSecrets({ current });
  const seal = () => sealClientSecret(keyOf(secrets), secretText, place);
  const [one, two] = [await seal(), await seal()];
  assert.match(one, /^2\.[0-9a-f]{8}\.[\w-]{300,1000}$/);
  assert.notEqual(one, two);
  assert.equal(await secrets.openClientSecret(one, place), secretText);
  const at = Math.floor(one.length / 2);
  const wrong = [
    [one, { ...place, partner: "2" }],
    [one, { ...place, credential: "1" }],
    [one.slice(0, at) + (one[at] === "A" ? "B" : "A") + one.slice(at + 1), place],
    [`2.${keyOf(secrets).id}.${secrets.seal(secretText, "partner-secret:1").split(".")[2]}`, place],
    ["rahasia", place],
  ] as const;
  for (const [text, of] of wrong) await assert.rejects(secrets.openClientSecret(text, of), SealError, text);
  await assert.rejects(createSecrets({ current: previous }).openClientSecret(one, place), {
    name: "SealError",
    otherKeyId: keyOf(secrets).id,
  });
});

test("client secrets of the previous master key and of earlier releases open, and are stale alike", async () => {
  const [before, rotated] = [createSecrets({ current: previous }), createSecrets({ current, previous })];
  const older = before.seal(secretText, "partner-secret:1");
  const old = await sealClientSecret(keyOf(before), secretText, place);
  for (const text of [older, old]) {
    assert.equal(await rotated.openClientSecret(text, place), secretText);
    assert.deepEqual([before.isStale(text), rotated.isStale(text)], [false, true]);
  }
});

test("what is sealed and is no client secret does not open: whoever has the public key can seal anything", async () => {
  const secrets = createSecrets({ current });
  for (const text of ["", "x".repeat(15), "x".repeat(201), `${secretText} `, `${secretText}✓`]) {
    for (const sealed of [await sealClientSecret(keyOf(secrets), text, place), secrets.seal(text, "partner-secret:1")])
      await assert.rejects(secrets.openClientSecret(sealed, place), SealError, text);
  }
});

test("derived keys differ by purpose and master key, and are the same in every process", () => {
  const [a] = createSecrets({ current }).derive("tokens");
  const [b] = createSecrets({ current }).derive("other");
  const [c, d] = createSecrets({ current: previous, previous: current }).derive("tokens");
  assert.equal(a.key.length, 32);
  assert.notDeepEqual(a.key, b.key);
  assert.notDeepEqual(a.key, c.key);
  assert.deepEqual(a, d);
});
