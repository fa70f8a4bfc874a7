/** The record of calls over the control API of a running sandbox: lists, details, the stream, counts by minute. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { followCalls } from "../support/black-box/follow-calls.ts";
import type { CallDetails, ControlAnswers } from "../../packages/control/src/types.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const [alpha, beta] = [sandbox.caller("alpha"), sandbox.caller("beta")];
const inquiry = { beneficiaryAccountNo: file.accounts[0]?.accountNo ?? "" };
const path = "account-inquiry-internal";

const list = (query: string) => control.call<ControlAnswers["GET /calls"]>("GET", `calls${query}`);

/** A stream; a place may be taken until the service has noticed that a reader of another test has left. */
async function followInTurn() {
  for (let tries = 0; tries < 50; tries += 1) {
    const stream = await followCalls(file, "").catch(() => undefined);
    if (stream) return stream;
    await sleep(200);
  }
  return followCalls(file, "");
}

/** A call whose signature does not verify. */
async function refuse() {
  const signed = await alpha.sign(path, inquiry, { signedBody: "{}" });
  const answer = await alpha.send(signed);
  assert.equal(answer.code, "4011500");
  return { id: String(answer.headers["x-correlation-id"]), signed };
}

test("the list has each call, newest first, by partner, operation and refusal, and in pages", async () => {
  const accepted = await alpha.call(path, inquiry);
  const { id } = await refuse();
  await beta.call(path, inquiry);
  const { calls } = await list("?limit=4");
  assert.deepEqual(
    calls.map(({ partnerId, operation, responseCode, isRefused, step }) => [
      partnerId,
      operation,
      responseCode,
      isRefused,
      step,
    ]),
    [
      ["beta", "internalAccountInquiry", "2001500", false, undefined],
      ["beta", "accessTokenB2b", "2007300", false, undefined],
      ["alpha", "internalAccountInquiry", "4011500", true, 7],
      ["alpha", "internalAccountInquiry", "2001500", false, undefined],
    ],
  );
  assert.equal(calls.at(-1)?.id, accepted.headers["x-correlation-id"]);
  assert.deepEqual(
    (await list("?refused=true&partnerId=alpha")).calls.map((call) => call.id),
    [id],
  );
  assert.ok((await list("?operation=accessTokenB2b")).calls.every(({ operation }) => operation === "accessTokenB2b"));
  const first = await list("?limit=1");
  const second = await list(`?limit=1&before=${first.next}`);
  assert.deepEqual(
    [...first.calls, ...second.calls].map((call) => call.id),
    calls.slice(0, 2).map((call) => call.id),
  );
  assert.equal((await list("?before=1")).next, null);
});

test("details have the request as it was received, without its token, signature and secrets", async () => {
  const { id, signed } = await refuse();
  const details = await control.call<CallDetails>("GET", `calls/${id}`);
  assert.equal(details.request.path, signed.path);
  assert.equal(details.request.body, signed.body);
  assert.match(details.response, /"responseMessage":"Unauthorized\. \[Signature\]"/);
  const valueOf = (wanted: string) => details.request.headers.find(({ name }) => name === wanted)?.value;
  assert.equal(valueOf("X-TIMESTAMP"), signed.headers["X-TIMESTAMP"]);
  await alpha.token({ fresh: true });
  const issued = (await list("?operation=accessTokenB2b&limit=1")).calls[0]?.id ?? "";
  const token = await control.call<CallDetails>("GET", `calls/${issued}`);
  const shown = JSON.stringify([details, token]);
  for (const secret of [await alpha.token(), signed.headers["X-SIGNATURE"] ?? "", alpha.partner.clientSecret]) {
    assert.ok(secret.length > 8 && !shown.includes(secret.slice(8)), "a secret is shown");
  }
  assert.match(token.response, /"accessToken":"eyJ\w+••• \(\d+ characters\)"/);
});

test("the stream has each call as it is answered, filtered, and goes on after the last event a reader had", async () => {
  await using stream = await followCalls(file, "?partnerId=alpha&refused=true");
  await alpha.call(path, inquiry);
  const { id } = await refuse();
  const event = await stream.next();
  assert.deepEqual([event.name, event.data["id"], event.data["step"]], ["call", id, 7]);
  const missed = await refuse();
  const newest = await refuse();
  await using again = await followCalls(file, "?partnerId=alpha&refused=true", { "Last-Event-ID": event.id });
  assert.deepEqual([(await again.next()).data["id"], (await again.next()).data["id"]], [missed.id, newest.id]);
  await using restarted = await followCalls(file, "?refused=true", { "Last-Event-ID": "0123456789abcdef-999999" });
  assert.equal((await restarted.next()).name, "call");
});

test("beyond 50 calls a second a stream counts them", async () => {
  await using stream = await followCalls(file, "?partnerId=alpha");
  const sent = 120;
  await Promise.all(Array.from({ length: sent }, () => alpha.call(path, inquiry)));
  let shown = 0;
  let skipped = 0;
  while (shown + skipped < sent) {
    const { name, data } = await stream.next();
    if (name === "call") shown += 1;
    else skipped += Number(data["calls"]) + Number(data["unrecorded"]);
  }
  assert.ok(skipped > 0, `${shown} shown`);
  assert.equal(shown + skipped, sent);
});

test("hostile texts of callers are data of the events, never events", async () => {
  await using stream = await followCalls(file, "?refused=true");
  const response = await request(`${file.baseUrl}/v1.0/x?a=%3Cscript%3E`, {
    method: "POST",
    headers: { "X-PARTNER-ID": "a\u0085data: {}" },
    body: "",
  });
  await response.body.dump();
  const { data } = await stream.next();
  assert.equal(data["id"], response.headers["x-correlation-id"]);
  assert.deepEqual([data["path"], data["partnerId"]], ["/v1.0/x?a=%3Cscript%3E", "a\u0085data: {}"]);
});

test("counts by minute have calls, refusals and the amounts of accepted transfers", async () => {
  const body = {
    partnerReferenceNo: `calls-${Date.now()}`,
    amount: { value: "1250.00", currency: "IDR" },
    sourceAccountNo: alpha.partner.sourceAccounts[0] ?? "",
    beneficiaryAccountNo: (await control.open({ name: "Siti", balance: "0.00" })).accountNo,
    transactionDate: "2026-11-25T10:00:00+07:00",
  };
  assert.equal((await alpha.call("transfer-intrabank", body)).code, "2001700");
  const { minutes } = await control.call<ControlAnswers["GET /calls/minutes"]>("GET", "calls/minutes");
  assert.equal(minutes.length, 60);
  const transfers = minutes
    .map(({ operations }) => operations["intrabankTransfer"])
    .filter((counts) => counts !== undefined);
  assert.deepEqual(transfers, [{ calls: 1, refused: 0, rejected: 0, amounts: { IDR: "1250.00" } }]);
  assert.ok(minutes.some(({ p50Ms, p99Ms }) => p50Ms !== null && p99Ms !== null && p50Ms <= p99Ms));
});

test("a bad query, an unknown call and a stream too many get a clear answer", async () => {
  await assert.rejects(list("?refused=maybe"), /400 .*refused must be \\"true\\" or \\"false\\"/);
  await assert.rejects(list("?operation=nothing"), /400 .*operation must be the name of an operation/);
  await assert.rejects(control.call("GET", "calls/0000000000000000"), /404 .*notRecorded/);
  await using stack = new AsyncDisposableStack();
  for (let count = 0; count < 64; count += 1) stack.use(await followInTurn());
  await assert.rejects(control.call("GET", "calls/stream"), /503 .*At most 64 streams/);
  await assert.rejects(followCalls({ ...file, controlToken: "x" }, ""), /401/);
});

test("streams whose readers have left keep nobody out for long", async () => {
  const openAll = () => Promise.all(Array.from({ length: 64 }, followInTurn));
  const left = await openAll();
  for (const stream of left) await stream[Symbol.asyncDispose]();
  const startedAt = performance.now();
  await using stack = new AsyncDisposableStack();
  for (const stream of await openAll()) stack.use(stream);
  assert.ok(performance.now() - startedAt < 5_000, "they waited for heartbeats");
});

test("a service that stops ends its streams and does not wait for them", async () => {
  await using other = await startSandbox();
  await using stream = await followCalls(other.file, "");
  const startedAt = performance.now();
  assert.deepEqual(await other.service.end("SIGTERM"), { code: 0, signal: null });
  assert.ok(performance.now() - startedAt < 9_000, "it waited for the stream");
  await assert.rejects(stream.next(), /ended/);
});
