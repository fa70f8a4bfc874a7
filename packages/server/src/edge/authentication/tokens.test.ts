import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createClock } from "../../basics/clock.ts";
import { createTokens } from "./tokens.ts";

const key = { id: "k1", key: randomBytes(32) };
const partnerKey = "0190f0e4-0000-7000-8000-000000000001";

test("a token names its partner, on every node that has the key", async () => {
  const clock = createClock();
  const { token, expiresAt } = await createTokens({ keys: [key], clock }).issue(partnerKey);
  const elsewhere = createTokens({ keys: [key], clock });
  assert.deepEqual(await elsewhere.read("partner", token), { kind: "partner", partnerKey, expiresAt });
  assert.ok(expiresAt - clock.now() >= 900_000 - 5_000);
});

test("a token verified before is answered without a promise", async () => {
  const tokens = createTokens({ keys: [key], clock: createClock() });
  const { token } = await tokens.issue(partnerKey);
  const first = tokens.read("partner", token);
  assert.ok(first instanceof Promise);
  const claims = await first;
  assert.equal(tokens.read("partner", token), claims);
});

test("a token lives 900 seconds of business time, verified before or not", async () => {
  for (const seenBefore of [true, false]) {
    const clock = createClock();
    const tokens = createTokens({ keys: [key], clock });
    const { token } = await tokens.issue(partnerKey);
    if (seenBefore) await tokens.read("partner", token);
    clock.setOffset(895_000);
    if (seenBefore) assert.ok(await tokens.read("partner", token));
    clock.setOffset(902_000);
    assert.equal(await tokens.read("partner", token), undefined);
    assert.equal(await tokens.wasIssuedHere(token), true);
    assert.equal(await tokens.wasIssuedHere(token.replace(/..$/, "AA")), false);
  }
});

test("a key that was rotated out of use still verifies; a foreign key does not", async () => {
  const clock = createClock();
  const { token } = await createTokens({ keys: [key], clock }).issue(partnerKey);
  const next = { id: "k2", key: randomBytes(32) };
  assert.ok(await createTokens({ keys: [next, key], clock }).read("partner", token));
  assert.equal(await createTokens({ keys: [next], clock }).read("partner", token), undefined);
  const sameName = { id: "k1", key: randomBytes(32) };
  assert.equal(await createTokens({ keys: [sameName], clock }).read("partner", token), undefined);
});

test("a customer token is bound to an account and a grant and is not a partner token", async () => {
  const tokens = createTokens({ keys: [key], clock: createClock() });
  const { token } = await tokens.issueCustomer(partnerKey, { grantId: "g", accountNo: "1234567890" });
  const claims = await tokens.read("customer", token);
  assert.deepEqual(claims?.customer, { grantId: "g", accountNo: "1234567890" });
  assert.equal(claims.partnerKey, partnerKey);
  assert.equal(await tokens.read("partner", token), undefined);
});

test("a text that is no token of ours is undefined, never an error", async () => {
  const tokens = createTokens({ keys: [key], clock: createClock() });
  const { token } = await tokens.issue(partnerKey);
  const [header, payload] = token.split(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  for (const text of ["", "abc", "a.b.c", `${header}.${payload}.`, unsigned, `${token}x`, "x".repeat(100_000)]) {
    assert.equal(await tokens.read("partner", text), undefined, text.slice(0, 40));
  }
});
