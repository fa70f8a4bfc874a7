import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { externalIdOf, newId } from "../basics/ids.ts";
import { operationByCode, readRequest } from "@titian/contract";
import { createBatches } from "./batch-calls.ts";
import { probeServices, writeProbe } from "./probe/probe-body.ts";
import { readReply } from "./read-reply.ts";
import { attemptsMax, nextAttemptAt } from "./delivery/schedule.ts";
import { maskQuery, notificationUrl } from "./notification-url.ts";

test("attempts follow the schedule: 10 of them, none early, each at most a tenth late", () => {
  const pauses = [10, 30, 60, 120, 300, 3_600, 7_200, 18_000, 54_000].map((seconds) => seconds * 1_000);
  assert.equal(attemptsMax, 10);
  for (const [index, pause] of pauses.entries()) {
    assert.equal(nextAttemptAt(index + 1, 5_000, 0), 5_000 + pause);
    assert.equal(nextAttemptAt(index + 1, 5_000, 1), Math.round(5_000 + pause * 1.1));
  }
  assert.equal(nextAttemptAt(10, 5_000, 0), undefined);
});

const replies: readonly (readonly [string, number, string, boolean])[] = [
  ["success", 200, '{"responseCode":"2007600","responseMessage":"Successful"}', true],
  ["success of another status of the class", 202, '{"responseCode":"2007600"}', true],
  ["a copy it has", 409, '{"responseCode":"4097600"}', true],
  ["a copy it has, with HTTP 200", 200, '{"responseCode":"4097600"}', true],
  ["another conflict", 409, '{"responseCode":"4097601"}', false],
  ["success of an HTTP error", 500, '{"responseCode":"2007600"}', false],
  ["an error of an HTTP success", 200, '{"responseCode":"5007600"}', false],
  ["no code", 200, "{}", false],
  ["a code that is a number", 200, '{"responseCode":2007600}', false],
  ["a code with a NUL", 200, '{"responseCode":"2007600\\u0000"}', false],
  ["a code of another form", 200, '{"responseCode":"200"}', false],
  ["no JSON", 200, "<html>OK</html>", false],
  ["a list", 200, '["2007600"]', false],
  ["nothing", 204, "", false],
  ["a redirect", 302, '{"responseCode":"2007600"}', false],
];

for (const [name, status, body, isAccepted] of replies) {
  test(`a reply with ${name} ${isAccepted ? "accepts" : "does not accept"} the notification`, () => {
    const { failure } = readReply({ status, body: Buffer.from(body) });
    assert.equal(failure === undefined, isAccepted, failure);
  });
}

test("the external id has 32 digits, and differs", () => {
  const ids = new Set(Array.from({ length: 1_000 }, () => externalIdOf(newId())));
  assert.equal(ids.size, 1_000);
  for (const id of ids) assert.match(id, /^\d{32}$/);
});

test("a service's path stands behind that of the address, before its query", () => {
  const at = (address: string) => notificationUrl(address, "v1.0", "transfer-rtgs/notify").href;
  assert.equal(at("https://a.example"), "https://a.example/v1.0/transfer-rtgs/notify");
  assert.equal(at("https://a.example/base/"), "https://a.example/base/v1.0/transfer-rtgs/notify");
  assert.equal(at("https://a.example/base?key=1"), "https://a.example/base/v1.0/transfer-rtgs/notify?key=1");
});

const masked: readonly (readonly [string, string])[] = [
  ["https://a.example/base", "https://a.example/base"],
  ["https://a.example/base?tenant=7&key=a?b", "https://a.example/base?tenant=…&key=…"],
  ["https://a.example/?s3cret", "https://a.example/?…"],
  ["https://a.example/?a=1&b==2&&c", "https://a.example/?a=…&b=…&…&…"],
];

test("a query in an address keeps its names, and no value", () => {
  for (const [url, expected] of masked) assert.equal(maskQuery(url), expected);
});

for (const service of probeServices) {
  test(`a test notification ${service} is valid, and has nothing that a receiver could book`, () => {
    const text = Buffer.from(writeProbe(service, { partnerId: "SHOP01", id: newId(), now: Date.now() })).toString(
      "utf8",
    );
    const operation = operationByCode(String(service)) ?? assert.fail();
    const fields: unknown = JSON.parse(text);
    assert.equal(readRequest(operation, fields).ok, true);
    assert.equal(JSON.stringify(fields), text);
    assert.doesNotMatch(text, /"(?:originalReferenceNo|bulkId|partnerReferenceNo)":"(?!TEST)/);
    assert.match(text, service === 21 ? /"responseCode":"2022000"/ : /"value":"0\.00".*"latestTransactionStatus":"03"/);
    assert.match(text, /^\{"additionalInfo":\{"characters":"é [^"]+","partnerId":"SHOP01","test":true\}/);
  });
}

/** Batches that were worked on; an item "bad" makes its batch fail. */
function countBatches({ mock: { timers } }: TestContext, { expectsMore = true } = {}) {
  timers.reset();
  timers.enable({ apis: ["setTimeout"] });
  const batches: string[] = [];
  const add = createBatches<string, string>({
    sizeMax: 8,
    pauseMs: 25,
    expectsMore: () => expectsMore,
    mayBeOfOneItem: (error) => error instanceof RangeError,
    work: async (items) => {
      batches.push(items.join());
      if (items.includes("bad")) throw new RangeError(items.join());
      if (items.includes("away")) throw new Error("away");
      return items.map((item) => item.toUpperCase());
    },
  });
  const addAll = async (...items: readonly string[]) => {
    const added = Promise.allSettled(items.map(add));
    timers.tick(25);
    return (await added).map((one) => (one.status === "fulfilled" ? one.value : "failed")).join();
  };
  return { batches, add, addAll };
}

test("of a batch that fails for one item's sake the others are done by themselves; not when they fail alike", async (t) => {
  const { batches, addAll } = countBatches(t);
  assert.equal(await addAll("a", "bad", "c"), "A,failed,C");
  assert.deepEqual(batches.splice(0), ["a,bad,c", "a", "bad", "c"]);
  assert.equal(await addAll("a", "away"), "failed,failed");
  assert.deepEqual(batches.splice(0), ["a,away"]);
  assert.equal(await addAll("bad", "bad", "bad", "bad", "a"), "failed,failed,failed,failed,failed");
  assert.deepEqual(batches, ["bad,bad,bad,bad,a", "bad", "bad", "bad", "bad"]);
});

test("an item waits for others where more are expected, and is done at once where none are", async (t) => {
  const busy = countBatches(t);
  const waiting = busy.add("a");
  await setImmediate();
  assert.deepEqual(busy.batches, []);
  t.mock.timers.tick(25);
  assert.equal(await waiting, "A");
  const idle = countBatches(t, { expectsMore: false });
  const done = idle.add("a");
  await setImmediate();
  assert.deepEqual(idle.batches, ["a"]);
  assert.equal(await done, "A");
});
