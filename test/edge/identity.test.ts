/** Identity of a caller: tokens, partners, addresses, time (spec D2 steps 4 to 6, D3, D18). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { askToken } from "../support/edge/ask-token.ts";
import { startEdge } from "../support/edge/start-edge.ts";

const day = 86_400_000;

test("an absent token is not found; anything else that is no token of ours is invalid", async (t) => {
  const edge = await startEdge(t);
  const customer = await edge.tokens.issueCustomer(edge.state.symmetric.key, { grantId: "g", accountNo: "1" });
  const cases: readonly [string | undefined, string][] = [
    [undefined, "4011703"],
    ["", "4011703"],
    ["Bearer", "4011703"],
    ["Bearer  ", "4011703"],
    ["Basic dXNlcjpwYXNz", "4011701"],
    ["Bearer a b", "4011701"],
    ["Bearer unknown", "4011701"],
    [`Bearer ${"x".repeat(3_000)}`, "4011701"],
    [`Bearer ${customer.token}`, "4011701"],
  ];
  for (const [authorization, code] of cases) {
    assert.equal((await edge.send({ headers: { Authorization: authorization } })).code, code, String(authorization));
  }
});

test("a token ends after 900 s of business time, and a new one works at the moved time", async (t) => {
  const edge = await startEdge(t);
  const { token } = await edge.tokens.issue(edge.state.symmetric.key);
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await edge.send({ headers })).code, "2001700");
  edge.clock.setOffset(902_000);
  assert.equal((await edge.send({ headers })).code, "4011701");
  assert.equal((await edge.send({})).code, "2001700");
});

test("a suspended partner's tokens end at once, and in mode 2 it is an unknown client", async (t) => {
  const edge = await startEdge(t);
  const { token } = await edge.tokens.issue(edge.state.symmetric.key);
  const recipe = { headers: { Authorization: `Bearer ${token}` } };
  assert.equal((await edge.send(recipe)).code, "2001700");
  edge.state.symmetric = { ...edge.state.symmetric, status: "suspended" };
  edge.state.asymmetric = { ...edge.state.asymmetric, status: "suspended" };
  assert.equal((await edge.send(recipe)).code, "4011701");
  assert.equal((await edge.send({ signing: "asymmetric" })).message, "Unauthorized. [Unknown client]");
});

test("X-PARTNER-ID must be the token's partner", async (t) => {
  const edge = await startEdge(t);
  const answer = await edge.send({ headers: { "X-PARTNER-ID": "nobody" } });
  assert.equal(answer.message, "Unauthorized. [Unknown client]");
  const { token } = await edge.tokens.issue(edge.state.asymmetric.key);
  const borrowed = await edge.send({ headers: { Authorization: `Bearer ${token}` } });
  assert.equal(borrowed.message, "Unauthorized. [Unknown client]");
});

test("mode 2 needs no token and looks at none; who is unknown is taken for mode 1", async (t) => {
  const edge = await startEdge(t);
  assert.equal((await edge.send({ signing: "asymmetric" })).code, "2001700");
  assert.equal(
    (await edge.send({ signing: "asymmetric", headers: { Authorization: "Bearer unknown" } })).code,
    "2001700",
  );
  assert.equal((await edge.send({ signing: "asymmetric", headers: { "X-PARTNER-ID": "nobody" } })).code, "4011703");
});

test("a customer token must be this partner's; its account reaches the operation", async (t) => {
  const edge = await startEdge(t);
  const customer = { grantId: "grant-1", accountNo: "1234567890" };
  const own = (await edge.tokens.issueCustomer(edge.state.symmetric.key, customer)).token;
  const others = (await edge.tokens.issueCustomer(edge.state.asymmetric.key, customer)).token;
  const partner = (await edge.tokens.issue(edge.state.symmetric.key)).token;
  const send = (token: string) => edge.send({ headers: { "Authorization-Customer": `Bearer ${token}` } });
  for (const token of [others, partner, "unknown"]) assert.equal((await send(token)).code, "4011702");
  assert.equal((await send(own)).code, "2001700");
  assert.equal(edge.calls[0]?.customerAccountNo, "1234567890");
  edge.clock.setOffset(16 * day);
  assert.equal((await send(own)).code, "4011702");
});

test("a customer token ends with its grant, verified before or not", async (t) => {
  const edge = await startEdge(t);
  const issue = async (grantId: string) =>
    (await edge.tokens.issueCustomer(edge.state.symmetric.key, { grantId, accountNo: "1" })).token;
  const [used, unused, other] = [await issue("grant-1"), await issue("grant-1"), await issue("grant-2")];
  const send = async (token: string) =>
    (await edge.send({ headers: { "Authorization-Customer": `Bearer ${token}` } })).code;
  assert.equal(await send(used), "2001700");
  edge.state.endedGrant = "grant-1";
  assert.deepEqual([await send(used), await send(unused), await send(other)], ["4011702", "4011702", "2001700"]);
});

test("an address list admits only its addresses; behind a trusted proxy the caller's own counts", async (t) => {
  const direct = await startEdge(t);
  direct.state.symmetric = { ...direct.state.symmetric, addresses: ["127.0.0.0/8"] };
  assert.equal((await direct.send({})).code, "2001700");
  direct.state.symmetric = { ...direct.state.symmetric, addresses: ["203.0.113.9"] };
  assert.equal((await direct.send({})).message, "Unauthorized. [Connection not allowed]");
  const spoofed = await direct.send({ headers: { "X-Forwarded-For": "203.0.113.9" } });
  assert.equal(spoofed.message, "Unauthorized. [Connection not allowed]");

  const proxied = await startEdge(t, { settings: { trustedProxies: ["127.0.0.1"] } });
  proxied.state.symmetric = { ...proxied.state.symmetric, addresses: ["203.0.113.9"] };
  assert.equal((await proxied.send({ headers: { "X-Forwarded-For": "203.0.113.9" } })).code, "2001700");
});

test("X-TIMESTAMP may carry Z, another offset or a fraction, and must be near our time", async (t) => {
  const edge = await startEdge(t);
  const now = Date.now();
  const send = (timestamp: string) => edge.send({ headers: { "X-TIMESTAMP": timestamp } });
  const plain = new Date(now).toISOString();
  for (const timestamp of [plain, plain.replace(/\..*/, "Z"), plain.replace("Z", "+00:00"), formatTimestamp(now)]) {
    assert.equal((await send(timestamp)).code, "2001700", timestamp);
  }
  for (const ms of [-310_000, 310_000]) {
    assert.equal((await send(formatTimestamp(now + ms))).message, "Unauthorized. [Timestamp]");
    assert.equal((await send(formatTimestamp(now + ms * 0.9))).code, "2001700");
  }
});

test("how long a CHANNEL-ID is and how far X-TIMESTAMP may be off is agreed with each partner", async (t) => {
  const edge = await startEdge(t, { settings: { timestampWindowMs: 60_000 } });
  const late = { headers: { "X-TIMESTAMP": formatTimestamp(Date.now() - 90_000) } };
  const long = { headers: { "CHANNEL-ID": "WEB-000001" } };
  assert.equal((await edge.send(late)).message, "Unauthorized. [Timestamp]");
  assert.equal((await edge.send(long)).message, "Invalid Field Format CHANNEL-ID");
  edge.state.symmetric = { ...edge.state.symmetric, channelIdLengthMax: 10, timestampWindowMs: 120_000 };
  assert.equal((await edge.send(long)).code, "2001700");
  assert.equal((await edge.send(late)).code, "2001700");
  assert.equal((await edge.send({ headers: { "CHANNEL-ID": "WEB-0000011" } })).code, "4001701");
  assert.equal((await edge.send({ ...late, signing: "asymmetric" })).code, "4011700", "other partners' as before");
});

test("after the clock was moved both the moved and the real time are accepted", async (t) => {
  const edge = await startEdge(t);
  edge.clock.setOffset(30 * day);
  const real = edge.clock.real();
  for (const [at, code] of [
    [real, "2001700"],
    [real + 30 * day, "2001700"],
    [real + 15 * day, "4011700"],
  ] as const) {
    assert.equal((await edge.send({ headers: { "X-TIMESTAMP": formatTimestamp(at) } })).code, code);
  }
  for (const { windowEndsAt } of edge.calls) {
    assert.ok(Math.abs(windowEndsAt - real - 300_000) < 5_000, "the end of the window is real time");
  }
});

test("the rate limit lets calls through again after the time it announced", async (t) => {
  const edge = await startEdge(t);
  edge.state.symmetric = { ...edge.state.symmetric, rateLimit: { perSecond: 0.001, burst: 2 } };
  const codes = [await edge.send({}), await edge.send({}), await edge.send({})].map(({ code }) => code);
  assert.deepEqual(codes, ["2001700", "2001700", "4291700"]);
  assert.equal((await edge.send({ signing: "asymmetric" })).code, "2001700");
  assert.equal(
    (await edge.send({ headers: { "X-SIGNATURE": "x" } })).code,
    "4011700",
    "only a partner's own calls count",
  );
});

test("tokens and look-ups of accounts have buckets of their own; a partner without a limit has none of them", async (t) => {
  const handlers = { internalAccountInquiry: () => Promise.resolve({ case: "success" } as const) };
  const edge = await startEdge(t, { handlers });
  const body = JSON.stringify({ beneficiaryAccountNo: "2000000001" });
  const lookUp = () => edge.send({ operation: "internalAccountInquiry", body });
  const rejected = async (count: number, call: () => Promise<{ readonly code: string }>) => {
    const codes = await Promise.all(Array.from({ length: count }, async () => (await call()).code));
    return codes.filter((code) => code.startsWith("429")).length;
  };
  assert.deepEqual([await rejected(40, lookUp), await rejected(20, () => askToken(edge))], [0, 0]);

  edge.state.symmetric = { ...edge.state.symmetric, rateLimit: { perSecond: 1_000, burst: 1_000 } };
  const lookUps = await rejected(40, lookUp);
  const tokens = await rejected(20, () => askToken(edge));
  // More may have come in meanwhile than were there at once.
  assert.ok(lookUps > 0 && lookUps <= 20 && tokens > 0 && tokens <= 10, `${lookUps} look-ups, ${tokens} tokens`);
  assert.equal(await rejected(20, () => edge.send({})), 0);
});
