// The way of an attempt from its first send to its end: one id, the same bytes, stored before everything, and what a crash
// leaves. The provider is a script of responses; pauses are real.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp, operations } from "@titian/contract";
import {
  type AttemptStore,
  type Client,
  type ClientOptions,
  createClient,
  createMemoryAttempts,
  SecondAttemptError,
} from "../../src/index.ts";
import { symmetric } from "../helpers/credentials.ts";
import { json, recordingFetch } from "../helpers/recording-fetch.ts";
import { rejection } from "../helpers/rejection.ts";
import { accepted, rejected, transfer } from "../helpers/transfer.ts";

type Script = readonly (() => Response)[];

const silence = (): never => {
  throw new TypeError("fetch failed");
};

/** One response after the other; the last one again and again. */
function scripted(script: Script, options: Partial<ClientOptions> = {}) {
  const recording = recordingFetch((_sent, count) => (script[Math.min(count, script.length) - 1] ?? silence)());
  return { client: createClient({ ...symmetric, fetch: recording.fetch, ...options }), calls: recording.calls };
}

const inMs = (ms: number): Date => new Date(Date.now() + ms);
const prepare = (client: Client, externalId?: string) => client.prepare("intrabankTransfer", transfer, { externalId });
const first = operations.intrabankTransfer.example.response;
const repeat = (status: string) => () =>
  rejected("conflict", { fields: { additionalInfo: { originalResponse: first, latestTransactionStatus: status } } });
const inquiry = operations.statusInquiryBank;
const status = (latestTransactionStatus: string, more: object = {}) => {
  const { originalExternalId: _, amount: __, ...response } = inquiry.example.response;
  return json(200, { ...response, latestTransactionStatus, ...more });
};
const notFound = (at: number) =>
  rejected("transactionNotFound", { headers: { "X-TIMESTAMP": formatTimestamp(at) } }, inquiry.code);

test("a transfer that succeeds is stored before it is sent, and settled again without a call", async () => {
  const inner = createMemoryAttempts();
  const log: string[] = [];
  const store: AttemptStore = {
    ...inner,
    put: (one) => {
      log.push(`put ${one.version} ${one.isOpen}`);
      return inner.put(one);
    },
  };
  const { client, calls } = scripted([
    () => {
      log.push("send");
      return accepted();
    },
  ]);
  const attempt = prepare(client, "ORDER-1");
  const settled = await client.settle(attempt, { store, until: inMs(5_000) });
  assert.equal(settled.state, "done");
  assert.equal(settled.response.referenceNo, first.referenceNo);
  assert.deepEqual(log, ["put 1 true", "put 2 true", "send", "put 3 false"]);
  assert.deepEqual(await store.listOpen(), []);
  const again = await client.settle(prepare(client, "ORDER-1"), { store, until: inMs(5_000) });
  assert.deepEqual([again, calls.length], [settled, 1]);
});

test("silence is repeated under one id with the same bytes, signed anew, and the original response is the end", async () => {
  const { client, calls } = scripted([silence, repeat("00")]);
  const settled = await client.settle(prepare(client), { until: inMs(5_000) });
  assert.equal(settled.state, "done");
  assert.deepEqual([settled.status, settled.response.referenceNo], ["00", first.referenceNo]);
  const [one, two] = calls;
  assert.ok(one && two && calls.length === 2);
  assert.equal(one.headers["X-EXTERNAL-ID"], two.headers["X-EXTERNAL-ID"]);
  assert.equal(one.body, two.body);
  assert.ok((one.headers["X-TIMESTAMP"] ?? "") < (two.headers["X-TIMESTAMP"] ?? ""));
  assert.notEqual(one.headers["X-SIGNATURE"], two.headers["X-SIGNATURE"]);
});

test("429 waits as long as it is told, and is no send that could have an effect", async () => {
  const { client, calls } = scripted([
    () => rejected("tooManyRequests", { headers: { "Retry-After": "1" } }),
    () => rejected("invalidFieldFormat", { field: "remark" }),
  ]);
  const start = Date.now();
  const settled = await client.settle(prepare(client), { until: inMs(5_000) });
  assert.ok(Date.now() - start >= 1_000);
  assert.deepEqual([settled.state, calls.length], ["rejected", 2]);
  assert.ok(settled.state === "rejected");
  assert.deepEqual([settled.responseCode, settled.caseName], ["4001701", "invalidFieldFormat"]);
});

test("an expired token is renewed, and the same send made again", async () => {
  const { client, calls } = scripted([() => rejected("invalidToken"), accepted]);
  assert.equal((await client.settle(prepare(client), { until: inMs(5_000) })).state, "done");
  assert.deepEqual(new Set(calls.map(({ headers }) => headers["X-EXTERNAL-ID"])).size, 1);
  assert.deepEqual(
    calls.map(({ headers }) => headers.Authorization),
    ["Bearer token-1", "Bearer token-2"],
  );
});

test("what was accepted is asked for until it has its end, which has the provider's number", async () => {
  const row = operations.interbankTransfer;
  const ask = [() => status("03"), () => status("00")];
  const { client, calls } = scripted([() => rejected("requestInProgress", {}, row.code), ...ask]);
  const attempt = client.prepare("interbankTransfer", row.example.request);
  const settled = await client.settle(attempt, { until: inMs(10_000) });
  assert.ok(settled.state === "done");
  assert.equal(settled.response.referenceNo, inquiry.example.response.referenceNumber);
  assert.deepEqual(
    calls.map(({ path }) => path.slice("/v1.0/".length)),
    [row.path, inquiry.path, inquiry.path],
  );
  assert.deepEqual(JSON.parse(calls[1]?.body ?? ""), {
    serviceCode: row.code,
    originalPartnerReferenceNo: row.example.request.partnerReferenceNo,
  });
});

test("a transfer that failed behind its acceptance is rejected with the rail's reason", async () => {
  const row = operations.interbankTransfer;
  const rejectedByRail = { responseCode: "4031805", responseMessage: "Do Not Honor" };
  const { client } = scripted([
    () => rejected("requestInProgress", {}, row.code),
    () => status("06", { additionalInfo: { rejection: rejectedByRail } }),
  ]);
  const settled = await client.settle(client.prepare("interbankTransfer", row.example.request), { until: inMs(5_000) });
  assert.ok(settled.state === "rejected");
  assert.deepEqual([settled.responseCode, settled.caseName, settled.status], ["4031805", "doNotHonor", "06"]);
});

test("kept out after silence, it is unknown while the first send can arrive, and rejected when it cannot", async () => {
  let at = Date.now();
  const { client, calls } = scripted([silence, () => rejected("featureNotAllowed"), () => notFound(at)]);
  const store = createMemoryAttempts();
  const attempt = prepare(client, "ORDER-2");
  const unknown = await client.settle(attempt, { store, until: inMs(3_500) });
  assert.ok(unknown.state === "unknown");
  assert.deepEqual([unknown.isAccepted, unknown.responseCode], [false, "4031701"]);
  assert.ok(unknown.askAgainAt.getTime() > Date.now());
  // Ten minutes later by the provider's clock, which alone counts; the fourth call was a repeat with the same answer.
  at += 600_000;
  const { client: later } = scripted([() => rejected("featureNotAllowed"), () => notFound(at)]);
  const settled = await later.settle(attempt, { store, until: inMs(15_000) });
  assert.deepEqual([settled.state, settled.state === "rejected" && settled.responseCode], ["rejected", "4031701"]);
  assert.ok(calls.length >= 3);
});

test("a second attempt of a number is refused before anything is sent, under another id or with another body", async () => {
  const { client, calls } = scripted([silence]);
  const store = createMemoryAttempts();
  const attempt = prepare(client, "ORDER-3");
  await client.settle(attempt, { store, until: inMs(300) });
  const sent = calls.length;
  const other = client.prepare("intrabankTransfer", { ...transfer, remark: "other" }, { externalId: "ORDER-3" });
  for (const second of [prepare(client), other]) {
    const error = await rejection(client.settle(second, { store, until: inMs(300) }));
    assert.ok(error instanceof SecondAttemptError);
    assert.deepEqual([error.code, error.first], ["ERR_SECOND_ATTEMPT", attempt]);
  }
  assert.equal(calls.length, sent);
  const { partnerBulkId: _, ...unnumbered } = operations.interbankBulkTransfer.example.request;
  const bulk = client.prepare("interbankBulkTransfer", unnumbered);
  await assert.rejects(client.settle(bulk, { until: inMs(300) }), /TypeError.*partnerBulkId/);
});

test("a store that fails behind a send leaves it open, and another process takes it up", async () => {
  const inner = createMemoryAttempts();
  const store: AttemptStore = {
    ...inner,
    put: (one) => (one.version > 2 ? Promise.reject(new Error("the database is away")) : inner.put(one)),
  };
  const { client } = scripted([accepted]);
  await assert.rejects(client.settle(prepare(client, "ORDER-4"), { store, until: inMs(5_000) }), /database is away/);
  const { client: restarted, calls } = scripted([repeat("00")]);
  const [settled, ...others] = await restarted.resume(inner, { until: inMs(5_000) });
  assert.deepEqual([settled?.state, settled?.attempt.externalId, others.length], ["done", "ORDER-4", 0]);
  assert.equal(calls[0]?.headers["X-EXTERNAL-ID"], "ORDER-4");
});

test("two that settle one attempt at once come to the same end, under one id", async () => {
  const { client, calls } = scripted([accepted, repeat("00")]);
  const store = createMemoryAttempts();
  const attempt = prepare(client, "ORDER-6");
  const both = [
    client.settle(attempt, { store, until: inMs(5_000) }),
    client.settle(attempt, { store, until: inMs(5_000) }),
  ];
  for (const { state } of await Promise.all(both)) assert.equal(state, "done");
  assert.deepEqual(new Set(calls.map(({ headers }) => headers["X-EXTERNAL-ID"])), new Set(["ORDER-6"]));
  assert.deepEqual(await store.listOpen(), []);
});

test("an attempt of unknown past is not rejected by what keeps its repeat out", async () => {
  const { client } = scripted([() => rejected("badRequest"), () => notFound(Date.now() + 3_600_000)]);
  const attempt = JSON.parse(JSON.stringify(prepare(client)));
  assert.equal((await client.settle(attempt, { until: inMs(1_200) })).state, "unknown");
});

test("a deadline that has passed sends nothing; a signal ends a call, and the attempt goes on from there", async () => {
  const controller = new AbortController();
  const { client, calls } = scripted([
    () => {
      controller.abort();
      return silence();
    },
    repeat("00"),
  ]);
  const store = createMemoryAttempts();
  const attempt = prepare(client, "ORDER-5");
  const before = await client.settle(attempt, { store, until: new Date(0) });
  assert.deepEqual([before.state, calls.length], ["unknown", 0]);
  const aborted = await client.settle(attempt, { store, until: controller.signal });
  assert.deepEqual([aborted.state, calls.length], ["unknown", 1]);
  assert.equal((await client.settle(attempt, { store, until: inMs(5_000) })).state, "done");
  await assert.rejects(client.settle(attempt, { until: new Date(Number.NaN) }), /TypeError: until/);
});
