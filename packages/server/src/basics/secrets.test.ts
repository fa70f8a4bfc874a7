import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
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

test("derived keys differ by purpose and master key, and are the same in every process", () => {
  const [a] = createSecrets({ current }).derive("tokens");
  const [b] = createSecrets({ current }).derive("other");
  const [c, d] = createSecrets({ current: previous, previous: current }).derive("tokens");
  assert.equal(a.key.length, 32);
  assert.notDeepEqual(a.key, b.key);
  assert.notDeepEqual(a.key, c.key);
  assert.deepEqual(a, d);
});
