/** Where is my money: any number, and what else people know, finds what it names; its timeline says what happened. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ControlAnswers, Match, Timeline } from "../../packages/control/src/types.ts";
import { bulkBody, bulkPath, itemsOf, numberOf, untilBulkEnds } from "../support/black-box/bulks.ts";
import { eventually, unknownNumber } from "../support/black-box/answers.ts";
import { type Answer, type Caller, type Json, newNumber } from "../support/black-box/caller.ts";
import { startEndpoint } from "../support/black-box/endpoint.ts";
import { paymentRequestBody, paymentRequestPath } from "../support/black-box/payment-requests.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../support/black-box/payments/hold-bodies.ts";
import { startRailFixture } from "../support/black-box/rails/rail-fixture.ts";
import type { Payment } from "../support/black-box/payments/holds.ts";
import { interbank, rtgs } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { isSplit } from "../support/black-box/split-sandbox.ts";
import { idr, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { checkControlAnswer } from "../support/control-rows.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, beta, sandbox } = fixture;
/** Each answer is compared with its row. */
const control = {
  ...fixture.control,
  call: async <Shape = Json>(method: "GET" | "POST" | "PUT", path: string, body?: Json): Promise<Shape> => {
    const answer = await fixture.control.call<Shape>(method, path, body);
    checkControlAnswer(method, `/${path}`, answer);
    return answer;
  },
};
await fixture.moveTo(fixture.at(0, "10:00:01"));
const endpoint = stack.use(await startEndpoint());
await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });

const search = (number: string, query = "") =>
  control.call<ControlAnswers["GET /search"]>("GET", `search?number=${encodeURIComponent(number)}${query}`);
const timelineOf = (number: unknown) => control.call<Timeline>("GET", `timeline/${String(number)}`);
const seen = ({ events }: Timeline) => events.map(({ kind }) => kind);

interface Sent {
  readonly body: Json;
  readonly answer: Answer;
  readonly externalId: string;
}

async function send(path: string, body: Json, caller: Caller = alpha): Promise<Sent> {
  const externalId = newNumber();
  const answer = await caller.call(path, body, { externalId });
  assert.ok(answer.status < 300, answer.text);
  return { body, answer, externalId };
}

const transferOf = (from: string, more: Json) => transferBody({ from, to: "1009000001" }, more);
const payer = await fixture.newPayer();
const pay = await send(
  paths.payment,
  paymentBody("alpha-hotel", { amount: idr("500000.00"), additionalInfo: { sourceAccountNo: payer } }),
);
const payment: Payment = {
  merchantId: "alpha-hotel",
  referenceNo: String(pay.answer.body["referenceNo"]),
  partnerReferenceNo: String(pay.body["partnerReferenceNo"]),
};
const capture = await send(paths.capture, captureBody(payment, { captureAmount: idr("300000.00") }));
const release = await send(paths.void, voidBody(payment, { voidAmount: idr("50000.00") }));
const refund = await send(
  paths.refund,
  refundBody(payment, { refundAmount: idr("100000.00"), originalCaptureNo: capture.answer.body["captureNo"] }),
);
const intrabank = await send(transferPath, transferOf(payer, { amount: idr("7000.00") }));
const transfer = await send(interbank.path, railBody(interbank, payer));
const large = await send(rtgs.path, railBody(rtgs, payer));
const request = await send(paymentRequestPath, paymentRequestBody(fixture, payer));
const bulk = await send(bulkPath, bulkBody(payer, 3));
await untilBulkEnds(alpha, bulk.answer);
const [item] = itemsOf(bulk.body);

/** Parts of one match beyond those that every match has. */
async function only(number: unknown): Promise<Match> {
  const { matches } = await search(String(number));
  assert.equal(matches.length, 1, JSON.stringify(matches));
  return matches[0] ?? assert.fail();
}

test("any number finds what it names", async () => {
  const trace = (await timelineOf(transfer.answer.body["referenceNo"])).traceNo;
  const notification = await eventually(async () => {
    const { events } = await timelineOf(bulk.answer.body["bulkId"]);
    return events.find(({ kind }) => kind === "notification");
  });
  const settlement = (await timelineOf(transfer.answer.body["referenceNo"])).events.find(
    ({ kind }) => kind === "settled",
  );
  const rows: readonly (readonly [unknown, string, string, unknown])[] = [
    [payment.referenceNo, "payment", "referenceNo", payment.referenceNo],
    [payment.partnerReferenceNo, "payment", "partnerReferenceNo", payment.referenceNo],
    [pay.externalId, "payment", "externalId", payment.referenceNo],
    [capture.answer.body["captureNo"], "payment", "captureNo", payment.referenceNo],
    [capture.body["partnerCaptureNo"], "payment", "partnerCaptureNo", payment.referenceNo],
    [capture.externalId, "payment", "externalId", payment.referenceNo],
    [release.answer.body["voidNo"], "payment", "voidNo", payment.referenceNo],
    [release.body["partnerVoidNo"], "payment", "partnerVoidNo", payment.referenceNo],
    [refund.answer.body["refundNo"], "payment", "refundNo", payment.referenceNo],
    [refund.body["partnerRefundNo"], "payment", "partnerRefundNo", payment.referenceNo],
    [intrabank.answer.body["referenceNo"], "transfer", "referenceNo", intrabank.answer.body["referenceNo"]],
    [intrabank.body["partnerReferenceNo"], "transfer", "partnerReferenceNo", intrabank.answer.body["referenceNo"]],
    [transfer.externalId, "transfer", "externalId", transfer.answer.body["referenceNo"]],
    [trace, "transfer", "traceNo", transfer.answer.body["referenceNo"]],
    [settlement?.referenceNo, "transfer", "journal", transfer.answer.body["referenceNo"]],
    [request.body["partnerReferenceNo"], "paymentRequest", "partnerReferenceNo", request.answer.body["referenceNo"]],
    [bulk.answer.body["bulkId"], "bulk", "bulkId", bulk.answer.body["bulkId"]],
    [bulk.body["partnerBulkId"], "bulk", "partnerBulkId", bulk.answer.body["bulkId"]],
    [bulk.externalId, "bulk", "externalId", bulk.answer.body["bulkId"]],
    [notification?.externalId, "notification", "notificationExternalId", bulk.answer.body["bulkId"]],
  ];
  for (const [number, kind, matchedBy, referenceNo] of rows) {
    const match = await only(number);
    assert.deepEqual([match.kind, match.matchedBy, match.referenceNo], [kind, matchedBy, referenceNo], String(number));
    assert.equal(match.partnerId, "alpha");
  }
  const found = await only(numberOf(item));
  assert.deepEqual([found.kind, found.matchedBy], ["bulkItem", "partnerReferenceNo"]);
  const [account] = (await search(payer)).matches;
  const { accountId, ledgerBalance: amount } = await control.account(payer);
  const shown = { accountNo: payer, accountId, name: "A payer", state: "active", amount, currency: "IDR" };
  const reasons = [{ by: "accountNo" }];
  assert.deepEqual(account, { kind: "account", matchedBy: "accountNo", reasons, ...shown });
});

test("a number of two partners finds both, and one of them where it is named; a rejected request is found", async () => {
  const number = newNumber();
  await send(transferPath, transferOf("1001000001", { partnerReferenceNo: number }));
  await send(transferPath, transferOf("1002000001", { partnerReferenceNo: number }), beta);
  const both = (await search(` ${number} `)).matches.map(({ partnerId }) => partnerId);
  assert.deepEqual(
    both.toSorted((a, b) => String(a).localeCompare(String(b))),
    ["alpha", "beta"],
  );
  assert.deepEqual(
    (await search(number, "&partnerId=beta")).matches.map(({ partnerId }) => partnerId),
    ["beta"],
  );
  const rejected = newNumber();
  const answer = await alpha.call(transferPath, transferOf("1001000005", { partnerReferenceNo: rejected }));
  assert.equal(answer.code, "4031714");
  const match = await only(rejected);
  assert.deepEqual([match.kind, match.responseCode, match.serviceCode], ["rejection", "4031714", "17"]);
});

test("a text that names nothing finds nothing, whatever it is", async () => {
  for (const number of [
    unknownNumber,
    "no such number",
    "%",
    "' or 1=1 --",
    "\u0000",
    "9".repeat(32),
    "x".repeat(64),
    "😀",
  ]) {
    assert.deepEqual((await search(number)).matches, [], number);
  }
  await assert.rejects(search("x".repeat(201)), /400/);
  await assert.rejects(search("1", "&partnerId=nobody"), /400/);
  await assert.rejects(timelineOf(unknownNumber), /404/);
  await assert.rejects(timelineOf("1"), /404/);
});

test("a payment's timeline: its changes with their money, and both sides", async () => {
  for (const number of [payment.referenceNo, capture.answer.body["captureNo"], refund.answer.body["refundNo"]]) {
    const timeline = await timelineOf(number);
    assert.equal(timeline.referenceNo, payment.referenceNo);
    assert.deepEqual(seen(timeline), ["requested", "held", "captured", "voided", "refunded"]);
    assert.deepEqual(
      [timeline.kind, timeline.status, timeline.externalId, timeline.operation],
      ["payment", "02", pay.externalId, "authPayment"],
    );
    assert.deepEqual(timeline.hold, {
      held: "500000.00",
      captured: "300000.00",
      voided: "50000.00",
      expired: "0.00",
      remaining: "150000.00",
      refunded: "100000.00",
    });
    const [paid, merchant] = timeline.sides;
    assert.deepEqual([paid?.role, paid?.accountNo, paid?.account?.accountNo], ["payer", payer, payer]);
    const moved = (side: typeof paid) =>
      side?.entries.map(({ kind, direction, amount }) => `${kind} ${direction} ${amount}`);
    assert.deepEqual(moved(paid), ["capture debit 300000.00", "refund credit 100000.00"]);
    assert.deepEqual(moved(merchant), ["capture credit 300000.00", "refund debit 100000.00"]);
    const captured = timeline.events.find(({ kind }) => kind === "captured");
    assert.deepEqual(
      [captured?.externalId, captured?.partnerReferenceNo, captured?.amount, captured?.referenceNo],
      [capture.externalId, capture.body["partnerCaptureNo"], "300000.00", capture.answer.body["captureNo"]],
    );
    assert.match(captured?.at ?? "", /\+07:00$/);
  }
});

test("the balances of a timeline are those of the accounts' entries", async () => {
  const timeline = await timelineOf(intrabank.answer.body["referenceNo"]);
  assert.deepEqual([seen(timeline), timeline.state, timeline.amount], [["requested", "settled"], "settled", "7000.00"]);
  for (const { accountNo, entries } of timeline.sides) {
    const { entries: kept } = await control.call<{ entries: readonly Json[] }>(
      "GET",
      `accounts/${accountNo}/entries?limit=200`,
    );
    for (const { referenceNo, kind, balanceAfter } of entries) {
      assert.equal(
        kept.find((one) => one["referenceNo"] === referenceNo && one["kind"] === kind)?.["balanceAfter"],
        balanceAfter,
      );
    }
  }
});

test("a transfer's timeline: the rail, its result, the notifications; operators' acts", async () => {
  const timeline = await timelineOf(transfer.answer.body["referenceNo"]);
  assert.deepEqual(seen(timeline), ["requested", "accepted", "submitted", "settled"]);
  assert.deepEqual([timeline.actions, timeline.events[2]?.at], [["return"], timeline.acceptedAt]);
  await control.call("POST", `transfers/${String(large.answer.body["referenceNo"])}/return`);
  const returned = await eventually(async () => {
    const found = await timelineOf(large.answer.body["referenceNo"]);
    return found.events.filter(({ kind }) => kind === "delivery").length > 1 && found;
  });
  const last = returned.events.find(({ kind }) => kind === "returned");
  assert.deepEqual([returned.state, last?.by, last?.postings.length], ["returned", "operator", 1]);
  const delivery = returned.events.find(({ kind }) => kind === "delivery");
  assert.deepEqual([delivery?.httpStatus, delivery?.attempt, delivery?.serviceCode], [200, 1, "76"]);
  const money = returned.sides[0]?.entries.map(({ kind, direction }) => `${kind} ${direction}`);
  assert.deepEqual(money, ["submission debit", "return credit"]);
});

test("a payment request's timeline goes on with its transfer, a bulk's with its items", async () => {
  const referenceNo = String(request.answer.body["referenceNo"]);
  const asked = await timelineOf(referenceNo);
  assert.deepEqual([asked.kind, seen(asked), asked.actions], ["paymentRequest", ["requested"], ["approve", "decline"]]);
  await control.call("POST", `payment-requests/${referenceNo}/approve`);
  const approved = await timelineOf(referenceNo);
  assert.deepEqual(seen(approved).slice(0, 2), ["requested", "approved"]);
  assert.equal(approved.events[1]?.by, "payer");
  const whole = await timelineOf(bulk.answer.body["bulkId"]);
  assert.deepEqual(whole.counts, { items: 3, settled: 3, rejected: 0, returned: 0, open: 0 });
  assert.deepEqual(seen(whole).slice(0, 3), ["requested", "accepted", "ended"]);
  const found = await only(numberOf(item));
  const one = await timelineOf(found.referenceNo);
  assert.deepEqual([one.kind, one.bulkId, one.bulkPosition], ["bulkItem", bulk.answer.body["bulkId"], 0]);
});

test("lists are pages, newest first, of all that there is", async () => {
  const all = async (path: string, member: string, key: string) => {
    const found: string[] = [];
    // Lists are a cell's.
    for (const cell of isSplit ? [0, 1] : [0]) {
      const ofCell: string[] = [];
      for (let next: unknown = ""; next !== null; ) {
        const cursor = next === "" ? "" : `&${path === "accounts" ? "after" : "before"}=${String(next)}`;
        const page = await control.call("GET", `${path}?limit=2${cursor}${cell === 0 ? "" : `&cell=${cell}`}`);
        ofCell.push(...(page[member] as readonly Json[]).map((row) => String(row[key])));
        next = page["next"];
      }
      assert.deepEqual(ofCell, path === "accounts" ? ofCell.toSorted() : ofCell.toSorted().toReversed(), path);
      found.push(...ofCell);
    }
    assert.equal(new Set(found).size, found.length);
    return found;
  };
  const transfers = await all("transfers", "transfers", "referenceNo");
  for (const { answer } of [intrabank, transfer, large]) assert.ok(transfers.includes(`${answer.body["referenceNo"]}`));
  // The oldest transfer and the oldest hold are the sandbox's own.
  assert.equal(transfers.length, 6);
  const holds = await all("holds", "holds", "referenceNo");
  assert.deepEqual([holds[0], holds.length], [payment.referenceNo, 2]);
  const asked = request.answer.body["referenceNo"];
  assert.deepEqual(await all("payment-requests", "paymentRequests", "referenceNo"), [asked]);
  assert.deepEqual(await all("bulks", "bulks", "bulkId"), [bulk.answer.body["bulkId"]]);
  assert.ok((await all("accounts", "accounts", "accountNo")).includes(payer));
  const page = await control.call("GET", `bulks/${String(bulk.answer.body["bulkId"])}/items?limit=2`);
  assert.deepEqual([(page["items"] as readonly unknown[]).length, page["next"]], [2, 1]);
});

test("partners without secrets; rails with mode, hours and the next cut-off", async () => {
  const partners = JSON.stringify(await control.call("GET", "partners"));
  for (const { clientSecret, privateKey } of sandbox.file.partners) {
    assert.ok(!partners.includes(clientSecret) && !partners.includes(JSON.stringify(privateKey)));
  }
  await fixture.setMode("skn", "slow");
  const { rails } = await control.call<{ rails: readonly Json[] }>("GET", "rails");
  const [online, gross, batch] = rails;
  assert.deepEqual([online?.["isOpen"], online?.["hours"], online?.["mode"]], [true, null, "normal"]);
  assert.match(String(online?.["suspense"]), /^\d+\.\d\d$/);
  assert.deepEqual([gross?.["isOpen"], gross?.["closesAt"]], [true, fixture.at(0, "16:30:00")]);
  assert.equal(batch?.["mode"], "slow");
  assert.match(String(batch?.["nextSettlementAt"]), /\+07:00$/);
  await fixture.moveTo(fixture.at(1, "20:00:00"));
  const later = (await control.call<{ rails: readonly Json[] }>("GET", "rails")).rails[1];
  assert.deepEqual([later?.["isOpen"], later?.["opensAt"]], [false, fixture.at(3, "06:30:00")]);
});
