import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnsweredCall, createCallBuffer } from "./call-buffer.ts";

const body = Buffer.from('{"partnerReferenceNo":"P-1"}');
const callOf = (partnerId: string, more: Partial<AnsweredCall> = {}): AnsweredCall => ({
  id: "00000000000000ff",
  businessTime: 1,
  rawHeaders: ["X-External-Id", "E-1"],
  address: "10.0.0.1",
  body,
  fields: { partnerReferenceNo: "P-1", amount: { value: "1.00", currency: "IDR" }, sourceAccountNo: "1" },
  operation: "intrabankTransfer",
  partnerId,
  isAuthenticated: true,
  rejection: undefined,
  responseCode: "2001700",
  number: "01JD7K3M9QZ8V2X4B6N8P0R2T4",
  ...more,
});
const rejected = { rejection: { case: "insufficientFunds" }, responseCode: "4031714", number: undefined } as const;
const countsOf = (calls: readonly { readonly partnerId: string }[]) =>
  Object.fromEntries([...Map.groupBy(calls, ({ partnerId }) => partnerId)].map(([id, own]) => [id, own.length]));

test("of a call only what names its record is noted, and a body of a rejected one alone", () => {
  const buffer = createCallBuffer();
  buffer.add(callOf("a"));
  buffer.add(callOf("a", { ...rejected, body: Buffer.alloc(20_000, "x") }));
  buffer.add(callOf("a", { rejection: { case: "conflict" }, responseCode: "4091700" }));
  const [accepted, refused, conflict] = buffer.take(10);
  assert.deepEqual(accepted?.references, { partnerReferenceNo: "P-1" });
  assert.deepEqual([accepted?.body, refused?.body?.length], [undefined, 8_192]);
  assert.deepEqual([refused?.externalId, conflict?.externalId], [undefined, "E-1"]);
});

test("who is not authenticated, and a success that is about no record, leave nothing", () => {
  const buffer = createCallBuffer();
  const nothing: readonly Partial<AnsweredCall>[] = [
    { isAuthenticated: false },
    { ...rejected, isAuthenticated: false },
    { operation: undefined },
    { responseCode: "" },
    { operation: "internalAccountInquiry", responseCode: "2001500" },
    { operation: "accessTokenB2b", responseCode: "2007300" },
  ];
  for (const more of nothing) buffer.add(callOf("a", more));
  assert.equal(buffer.size(), 0);
  // Its body has the secrets themselves.
  buffer.add(callOf("a", { ...rejected, operation: "accessTokenB2b2c", responseCode: "4017400" }));
  assert.deepEqual(
    buffer.take(1).map((call) => [call.body, call.references]),
    [[undefined, {}]],
  );
});

test("a partner that sends more than there is room for loses its own calls, and no other's", () => {
  const buffer = createCallBuffer(100);
  for (let count = 0; count < 500; count += 1) buffer.add(callOf("noisy"));
  for (let count = 0; count < 30; count += 1) for (const partner of ["b", "c"]) buffer.add(callOf(partner));
  for (let count = 0; count < 500; count += 1) buffer.add(callOf("noisy"));
  assert.equal(buffer.size(), 100);
  assert.equal(buffer.dropped(), 960);
  assert.deepEqual(countsOf(buffer.take(1_000)), { noisy: 40, b: 30, c: 30 });
  assert.equal(buffer.size(), 0);
});

test("of a call that finds no room nothing is read", () => {
  const buffer = createCallBuffer(1);
  buffer.add(callOf("a"));
  const unread: Partial<AnsweredCall> = {
    ...rejected,
    get body(): Buffer {
      return assert.fail("its body was copied");
    },
  };
  buffer.add(Object.defineProperties(callOf("a"), Object.getOwnPropertyDescriptors(unread)));
  assert.deepEqual([buffer.size(), buffer.dropped()], [1, 1]);
});

test("what is taken is the same number of each partner, and the next ones the next time", () => {
  const buffer = createCallBuffer();
  for (let count = 0; count < 100; count += 1) buffer.add(callOf("noisy"));
  for (let count = 0; count < 10; count += 1) buffer.add(callOf("quiet"));
  assert.deepEqual(countsOf(buffer.take(20)), { noisy: 10, quiet: 10 });
  for (const partner of ["b", "c", "d"]) buffer.add(callOf(partner));
  assert.deepEqual(countsOf(buffer.take(2)), { noisy: 1, b: 1 });
  assert.deepEqual(countsOf(buffer.take(2)), { c: 1, d: 1 });
  assert.deepEqual(countsOf(buffer.take(1_000)), { noisy: 89 });
});
