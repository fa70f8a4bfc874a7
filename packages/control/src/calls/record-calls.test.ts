import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObservedCall } from "@titian/server";
import { createCallRecord } from "./record-calls.ts";
import { createRing } from "./ring.ts";

const at = Date.UTC(2026, 10, 21, 3, 0, 0);

function callOf(number: number, more: Partial<ObservedCall> = {}): ObservedCall {
  return {
    id: `call-${number}`,
    at,
    businessTime: at,
    method: "POST",
    target: "/v1.0/transfer-intrabank",
    rawHeaders: ["X-PARTNER-ID", "shop"],
    body: Buffer.from("{}"),
    fields: { amount: { value: "1000.5", currency: "IDR" } },
    address: "127.0.0.1",
    operation: "intrabankTransfer",
    partnerId: "shop",
    isAuthenticated: true,
    rejectedAt: undefined,
    rejection: undefined,
    number: undefined,
    fault: undefined,
    status: 200,
    responseCode: "2001700",
    response: '{"responseCode":"2001700","responseMessage":"Successful"}',
    durationMs: 3,
    ...more,
  };
}

const refused = { rejectedAt: 7, rejection: { case: "unauthorized", reason: "Signature" } } as const;

test("a ring keeps the newest in number and in bytes", () => {
  const ring = createRing<number>(3, 100);
  for (const number of [1, 2, 3, 4]) ring.add(number, 10);
  assert.deepEqual([...ring.newest()], [4, 3, 2]);
  ring.add(5, 85);
  assert.deepEqual([[...ring.newest()], ring.bytes()], [[5, 4], 95]);
  ring.add(6, 101);
  assert.deepEqual([...ring.newest()], [5, 4]);
});

test("of each second 200 accepted and 200 refused calls are recorded, and all are counted", () => {
  const record = createCallRecord();
  for (let number = 0; number < 500; number += 1)
    record.observer.answered(callOf(number, number % 2 === 0 ? {} : refused));
  assert.deepEqual([[...record.all()].length, [...record.refused()].length, record.unrecorded()], [400, 200, 100]);
  record.observer.answered(callOf(500, { at: at + 1_000 }));
  assert.equal([...record.all()].length, 401);
  const minute = record.minutes.list(at + 1_000).at(-1);
  assert.deepEqual([minute?.calls, minute?.refused, minute?.rejected], [501, 250, 0]);
  assert.deepEqual(minute?.operations["intrabankTransfer"]?.amounts, { IDR: "251125.50" });
});

test("refused calls stay when accepted ones follow, and large bodies are cut", () => {
  const record = createCallRecord();
  record.observer.answered(callOf(-1, { ...refused, body: Buffer.alloc(70_000, "a"), response: "b".repeat(70_000) }));
  for (let number = 0; number < 1_000; number += 1) record.observer.answered(callOf(number, { at: at + number * 100 }));
  assert.ok(![...record.all()].some(({ id }) => id === "call--1"));
  const kept = record.find("call--1");
  assert.deepEqual(
    [kept?.body?.length, kept?.bodyBytes, kept?.isBodyCut, kept?.response.length, kept?.isResponseCut],
    [65_536, 70_000, true, 65_536, true],
  );
});

test("what is kept is a copy: it does not hold the buffer of its connection", () => {
  const record = createCallRecord();
  const buffer = Buffer.alloc(1_048_576);
  record.observer.answered(callOf(1, { body: buffer.subarray(10, 20) }));
  const [kept] = record.all();
  assert.ok((kept?.body?.buffer.byteLength ?? Infinity) <= 16_384);
  buffer.fill(1);
  assert.equal(kept?.body?.[0], 0);
});

test("durations of an hour are percentiles within 5 %, and minutes without calls are there", () => {
  const record = createCallRecord();
  for (let ms = 1; ms <= 1_000; ms += 1) record.observer.answered(callOf(ms, { durationMs: ms }));
  const minutes = record.minutes.list(at);
  assert.equal(minutes.length, 60);
  const { p50Ms, p99Ms, minute } = minutes.at(-1) ?? {};
  assert.ok(Math.abs((p50Ms ?? 0) / 500 - 1) < 0.05 && Math.abs((p99Ms ?? 0) / 990 - 1) < 0.05, `${p50Ms} ${p99Ms}`);
  assert.equal(minute, "2026-11-21T10:00:00.000+07:00");
  assert.deepEqual([minutes[0]?.calls, minutes[0]?.p50Ms], [0, null]);
  assert.equal(
    record.minutes.list(at + 3_600_000).every(({ calls }) => calls === 0),
    true,
  );
});

test("amounts come from the answer where the request names none, and from all items of a bulk", () => {
  const record = createCallRecord();
  const response =
    '{"responseCode":"2006500","responseMessage":"Successful","captureAmount":{"value":"7.00","currency":"IDR"}}';
  record.observer.answered(callOf(1, { operation: "authCapture", fields: {}, response }));
  const money = { amount: { value: "2.50", currency: "IDR" } };
  record.observer.answered(callOf(2, { operation: "interbankBulkTransfer", fields: { bulkObject: [money, money] } }));
  record.observer.answered(callOf(3, { operation: "rtgsTransfer", rejection: { case: "insufficientFunds" } }));
  record.observer.answered(callOf(4, { operation: "statusInquiryBank" }));
  assert.deepEqual(record.minutes.list(at).at(-1)?.amounts, { IDR: "12.00" });
});
