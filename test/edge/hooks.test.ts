/** Hooks of an embedding program: it sees each call, explains rejections, and may ask for faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallHooks, Fault, FaultKind, ObservedCall } from "../../packages/server/src/edge/call-hooks.ts";
import { askToken } from "../support/edge/ask-token.ts";
import { sendRaw } from "../support/edge/raw-calls.ts";
import { type EdgeOptions, startEdge, transfer } from "../support/edge/start-edge.ts";

async function startObserved(t: Parameters<typeof startEdge>[0], options: EdgeOptions = {}, hooks: CallHooks = {}) {
  const seen: ObservedCall[] = [];
  const observer = { answered: (call: ObservedCall) => void seen.push(call) };
  return { seen, edge: await startEdge(t, { ...options, hooks: { observer, ...hooks } }) };
}

/** A fault for every call of an operation but those to ask for tokens. */
function faulty(kind: FaultKind, delayMs = 0): CallHooks {
  const fault: Fault = { kind, delayMs };
  return {
    faults: {
      faultFor: (_partner, operation) => (operation === "accessTokenB2b" ? undefined : Promise.resolve(fault)),
    },
  };
}

test("an accepted call is seen as it was sent and answered, under the id in its answer", async (t) => {
  const { edge, seen } = await startObserved(t);
  edge.clock.setOffset(86_400_000);
  const answer = await edge.send({ target: "/v1.0/transfer-intrabank?a=1", headers: { "X-Odd-Name": "1" } });
  const [call] = seen;
  assert.ok(call !== undefined && seen.length === 1);
  assert.equal(call.id, answer.headers["x-correlation-id"]);
  assert.equal(call.target, "/v1.0/transfer-intrabank?a=1");
  assert.equal(Buffer.from(call.body ?? []).toString(), JSON.stringify(transfer));
  assert.equal(call.response, answer.text);
  assert.deepEqual(
    [call.method, call.operation, call.partnerId, call.isAuthenticated, call.status, call.responseCode, call.address],
    ["POST", "intrabankTransfer", "P-HMAC", true, 200, "2001700", "127.0.0.1"],
  );
  assert.deepEqual([call.rejectedAt, call.rejection, call.fault], [undefined, undefined, undefined]);
  assert.ok(call.rawHeaders.includes("X-Odd-Name"));
  assert.ok(Math.abs(call.businessTime - call.at - 86_400_000) < 1_000);
  assert.ok(call.durationMs >= 0);
});

test("a rejected call has its step, its body only where that was read, and the partner it claims to be", async (t) => {
  const { edge, seen } = await startObserved(t);
  await edge.send({ secret: "wrong" });
  await edge.send({ headers: { Authorization: "Bearer x", "X-PARTNER-ID": "somebody" } });
  const [signature, token] = seen;
  assert.deepEqual(
    [signature?.rejectedAt, signature?.isAuthenticated, signature?.rejection],
    [7, false, { case: "unauthorized", reason: "Signature" }],
  );
  assert.equal(Buffer.from(signature?.body ?? []).toString(), JSON.stringify(transfer));
  assert.deepEqual([token?.rejectedAt, token?.body, token?.partnerId], [4, undefined, "somebody"]);
});

test("a business rejection is no rejection by the checks, a field that the operation finds faulty is", async (t) => {
  const replies = [
    { case: "insufficientFunds" },
    { case: "customerTokenNotFound" },
    { case: "invalidFieldFormat", field: "amount" },
  ] as const;
  let next = 0;
  const { edge, seen } = await startObserved(t, {
    handlers: { intrabankTransfer: () => Promise.resolve(replies[next++] ?? { case: "success" }) },
  });
  for (const _ of replies) await edge.send({});
  assert.deepEqual(
    seen.map(({ rejectedAt }) => rejectedAt),
    [undefined, 12, 12],
  );
  assert.deepEqual(
    seen.map(({ rejection }) => rejection?.case),
    replies.map((reply) => reply.case),
  );
});

test("unknown paths and token calls are seen, with the partner of the client key", async (t) => {
  const { edge, seen } = await startObserved(t);
  const unknown = await edge.send({ target: "/v1.0/transfer-interbnk" });
  const token = await askToken(edge);
  const garbled = await askToken(edge, { headers: { "X-SIGNATURE": "x" } });
  assert.deepEqual(
    seen.map(({ id, operation, partnerId, rejectedAt, responseCode }) => [
      id,
      operation,
      partnerId,
      rejectedAt,
      responseCode,
    ]),
    [
      [unknown.headers["x-correlation-id"], undefined, "P-HMAC", 1, "4040000"],
      [token.headers["x-correlation-id"], "accessTokenB2b", "P-HMAC", undefined, "2007300"],
      [garbled.headers["x-correlation-id"], "accessTokenB2b", "P-HMAC", 7, "4017300"],
    ],
  );
});

test("an observer that throws takes no answer from a caller", async (t) => {
  const observer = {
    answered: () => {
      throw new Error("observer");
    },
  };
  const edge = await startEdge(t, { hooks: { observer } });
  assert.equal((await edge.send({})).code, "2001700");
  assert.equal((await edge.send({ target: "/nothing" })).code, "4040000");
  assert.match(edge.logLines.join("\n"), /http\.observer_failed/);
});

test("every answer has its own X-CORRELATION-ID, and every log line about a call names it", async (t) => {
  const edge = await startEdge(t);
  const answers = [await edge.send({}), await edge.send({ secret: "wrong" }), await edge.send({ target: "/nothing" })];
  const malformed = await sendRaw(edge.port, "NONSENSE\r\n\r\n");
  const ids = [
    ...answers.map(({ headers }) => headers["x-correlation-id"]),
    /X-CORRELATION-ID: (\w+)/.exec(malformed)?.[1],
  ];
  for (const id of ids) assert.match(String(id), /^[0-9a-f]{16}$/);
  assert.equal(new Set(ids).size, 4);
  const page = await fetch(`${edge.url}/health/live`);
  assert.match(page.headers.get("x-correlation-id") ?? "", /^[0-9a-f]{16}$/);
  const about = edge.logLines.filter((line) => /http\.request|authentication\.failed/.test(line));
  assert.equal(about.length, 3);
  for (const line of about) assert.ok(ids.includes(JSON.parse(line).correlationId), line);
});

const debug = { "X-Debug-Mode": "true" };

test("in debug mode a rejection by the checks says why, beside what it echoes", async (t) => {
  const { edge, seen } = await startObserved(t, {}, { explain: async ({ rejectedAt }) => `step ${rejectedAt}` });
  const messageOf = async (recipe: Parameters<typeof edge.send>[0]) =>
    (await edge.send({ ...recipe, headers: { ...debug, ...recipe.headers } })).fields["additionalInfo"];
  assert.deepEqual(await messageOf({ secret: "wrong" }), { debugMessage: "step 7" });
  assert.deepEqual(await messageOf({ target: "/nothing" }), { debugMessage: "step 1" });
  const body = JSON.stringify({ ...transfer, amount: { value: "1", currency: "X" } }).replace(
    "{",
    '{"additionalInfo":{ "n": 1.0 },',
  );
  const echoed = await edge.send({ body, headers: debug });
  assert.match(echoed.text, /"additionalInfo":\{ "n": 1\.0 ,"debugMessage":"step 12"\}/);
  assert.equal(seen.at(-1)?.response, echoed.text);
  assert.equal((await edge.send({ secret: "wrong" })).fields["additionalInfo"], undefined);
  assert.equal((await edge.send({ headers: debug })).fields["additionalInfo"], undefined);
});

test("an explanation that fails or never comes delays an answer by a second at most", async (t) => {
  const { edge, seen } = await startObserved(
    t,
    {},
    {
      explain: ({ rejectedAt }) => (rejectedAt === 7 ? Promise.reject(new Error("no")) : new Promise(() => undefined)),
    },
  );
  assert.equal((await edge.send({ secret: "wrong", headers: debug })).code, "4011700");
  const late = await edge.send({ target: "/nothing", headers: debug });
  assert.match(late.text, /^\{"responseCode":"4040000".*"debugMessage":"The explanation was left out because/);
  assert.equal((await edge.send({ body: "{}", headers: debug })).code, "4001702");
  // Each waited a second: no duration has it.
  for (const { durationMs } of seen.slice(1)) assert.ok(durationMs < 900, String(durationMs));
  const metrics = await (await fetch(`${edge.managementUrl}/metrics`)).text();
  assert.match(metrics, /titian_http_request_duration_seconds_sum\{operation="intrabankTransfer"\} 0\.[0-8]/);
});

test("calls whose explanations wait hold at most 16 MiB of bodies: others are told that theirs was left out", async (t) => {
  const explained = Promise.withResolvers<string>();
  const asked: (number | undefined)[] = [];
  const explain = async ({ body }: ObservedCall) => {
    asked.push(body?.length);
    return explained.promise;
  };
  const { edge } = await startObserved(t, { settings: { bodyLimit: 10_485_760 } }, { explain });
  const send = (bytes: number) => edge.send({ body: "x".repeat(bytes), headers: debug });
  const first = send(10_000_000);
  while (asked.length === 0) await sleep(5);
  assert.match((await send(10_000_000)).text, /"debugMessage":"The explanation was left out because many calls wait/);
  const third = send(6_000_000);
  while (asked.length === 1) await sleep(5);
  explained.resolve("said");
  await Promise.all([first, third]);
  assert.deepEqual(asked, [10_000_000, 6_000_000]);
});

test("without the hook the debug header means nothing", async (t) => {
  const edge = await startEdge(t);
  const { text } = await edge.send({ secret: "wrong", headers: debug });
  assert.equal(text, '{"responseCode":"4011700","responseMessage":"Unauthorized. [Signature]"}');
});

for (const [kind, code, message] of [
  ["error500", "5001700", /^General Error \[[0-9a-f]{16}\]$/],
  ["error503", "5031700", /^Service Unavailable$/],
  ["error429", "4291700", /^Too Many Requests$/],
] as const) {
  test(`${kind} is the operation's own answer of that case, and nothing is carried out`, async (t) => {
    const { edge, seen } = await startObserved(t, {}, faulty(kind));
    const answer = await edge.send({});
    assert.equal(answer.code, code);
    assert.match(answer.message, message);
    assert.equal(edge.calls.length, 0);
    assert.deepEqual([seen[0]?.fault, seen[0]?.rejectedAt, seen[0]?.responseCode], [kind, undefined, code]);
    assert.equal(answer.headers["retry-after"], kind === "error500" ? undefined : "1");
  });
}

test("loseAnswer carries out the call and cuts the connection, breakOff cuts it before", async (t) => {
  for (const [kind, carriedOut] of [
    ["loseAnswer", 1],
    ["breakOff", 0],
  ] as const) {
    const { edge, seen } = await startObserved(t, {}, faulty(kind));
    await assert.rejects(edge.send({}), { code: "UND_ERR_SOCKET" });
    assert.equal(edge.calls.length, carriedOut);
    assert.deepEqual([seen[0]?.fault, seen[0]?.responseCode], [kind, carriedOut === 1 ? "2001700" : ""]);
  }
});

test("delay answers later, and keeps nothing of a caller that leaves", async (t) => {
  const { edge, seen } = await startObserved(t, {}, faulty("delay", 60_000));
  const leaving = edge.send({}).catch(() => "left");
  while (edge.calls.length === 0) await sleep(5);
  await edge.edge.close(10);
  assert.equal(await leaving, "left");
  while (seen.length === 0) await sleep(5);
  assert.equal(seen[0]?.responseCode, "2001700");
});

test("a fault meets rejected calls of an authenticated partner, and no caller who is not", async (t) => {
  const { edge } = await startObserved(t, {}, faulty("error503"));
  assert.equal((await edge.send({ body: "{" })).code, "5031700");
  assert.equal((await edge.send({ secret: "wrong" })).code, "4011700");
  assert.equal((await askToken(edge)).code, "2007300");
});
