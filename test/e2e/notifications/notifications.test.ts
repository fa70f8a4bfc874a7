/** Notifications 21, 75 and 76 as a partner's system gets them (spec D13, D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { assertSigned, type Endpoint, type Reply, startEndpoint } from "../../support/black-box/endpoint.ts";
import { slowReplies } from "../../support/black-box/slow-replies.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { type RailService, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { idr } from "../../support/black-box/transfers.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const payer = await fixture.newPayer("100000000000.00");

interface Kept {
  readonly state: string;
  readonly externalId: string;
  readonly serviceCode: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly httpStatus?: number;
    readonly failure?: string;
    readonly url: string;
    readonly durationMs: number;
  }[];
}

async function useEndpoint(path?: string): Promise<Endpoint> {
  const endpoint = stack.use(await startEndpoint(path));
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
  return endpoint;
}

async function notificationsOf({ body }: Answer): Promise<readonly Kept[]> {
  const number = String(body["referenceNo"] ?? body["bulkId"]);
  const found = await control.call<{ readonly notifications: readonly Kept[] }>(
    "GET",
    `notifications?referenceNo=${number}`,
  );
  return found.notifications;
}

const untilState = (answer: Answer, state: string) =>
  eventually(async () => {
    const [newest] = await notificationsOf(answer);
    return newest?.state === state && newest;
  });

const replay = (body: Json) => control.call<{ readonly replayed: number }>("POST", "notifications/replay", body);
const send = (service: RailService, more: Json = {}) => fixture.send(service, payer, more, `200${service.service}00`);

test("an RTGS transfer that settles: 76 with the request's fields, signed over the address with its query", async () => {
  const endpoint = await useEndpoint("/base?tenant=7");
  const sent = await send(rtgs, { additionalInfo: { order: "A-1", "2": 1.0, nested: { b: [1e2, "ü"] } } });
  const got = await endpoint.until(1);
  assert.equal(got.path, "/base/v1.0/transfer-rtgs/notify?tenant=7");
  assertSigned(got, sandbox.file);
  // For receivers that verify what they have parsed and written again.
  assert.equal(got.text, JSON.stringify(got.body));
  const { partnerReferenceNo, referenceNo } = sent.body;
  assert.deepEqual(
    { ...got.body, originalExternalId: "any" },
    {
      originalPartnerReferenceNo: partnerReferenceNo,
      originalReferenceNo: referenceNo,
      originalExternalId: "any",
      latestTransactionStatus: "00",
      beneficiaryAccountName: "Siti Nur Aini",
      beneficiaryAccountNo: "7001001001",
      beneficiaryBankCode: "014",
      sourceAccountNo: payer,
      transactionDate: "2026-11-21T10:00:00+07:00",
      amount: idr(rtgs.value),
      additionalInfo: { "2": 1, order: "A-1", nested: { b: [100, "ü"] }, partnerId: "alpha" },
    },
  );
  const { headers } = got;
  assert.deepEqual(
    [headers["x-partner-id"], headers["channel-id"], headers["content-type"]],
    ["alpha", alpha.partner.channelId, "application/json"],
  );
  assert.match(headers["x-external-id"] ?? "", /^\d{32}$/);
  const kept = await untilState(sent, "delivered");
  assert.equal(kept.externalId, headers["x-external-id"]);
});

test("an SKNBI transfer that is rejected: 75 with the rejection", async () => {
  const endpoint = await useEndpoint();
  const sent = await send(skn, { beneficiaryAccountNo: fixture.accountOf("unknownBeneficiary") });
  await fixture.moveTo(fixture.at(0, "13:00:00"));
  const { path, body } = await endpoint.until(1);
  assert.equal(path, "/v1.0/transfer-skn/notify");
  assert.deepEqual([body["latestTransactionStatus"], body["originalReferenceNo"]], ["06", sent.body["referenceNo"]]);
  const { rejection } = body["additionalInfo"] as { readonly rejection: Json };
  assert.equal(rejection["responseCode"], "4042311");
});

test("a return is a notification of its own, sent only after the result before it was accepted or given up", async () => {
  const endpoint = await useEndpoint();
  endpoint.replies.push({ status: 500 });
  const sent = await send(rtgs, { beneficiaryAccountNo: fixture.accountOf("returnedAfterSettlement") });
  await endpoint.until(1);
  await fixture.advance(86_400);
  const last = await endpoint.until(3);
  assert.deepEqual(
    endpoint.received.map(({ body }) => body["latestTransactionStatus"]),
    ["00", "00", "04"],
  );
  const [first, second] = endpoint.received.map(({ headers, text }) => [headers["x-external-id"], text]);
  assert.deepEqual(first, second);
  assert.notEqual(last.headers["x-external-id"], first?.[0]);
  assert.deepEqual(
    (await notificationsOf(sent)).map(({ status }) => status),
    ["04", "00"],
  );
});

test("a bulk: 21 with an entry an item, in the order of the request", async () => {
  const endpoint = await useEndpoint();
  const accounts = ["7001001001", fixture.accountOf("unknownBeneficiary"), fixture.accountOf("rejected"), "7001001002"];
  const bulkObject = accounts.map((beneficiaryAccountNo, position) => ({
    partnerReferenceNo: `N21-${position}`,
    bankCode: "014",
    beneficiaryAccountNo,
    beneficiaryAccountName: "Siti Nur Aini",
    amount: idr("10000.00"),
  }));
  const body = { customerReference: "PAYROLL", sourceAccountNo: payer, transactionDate: "2026-11-21T10:00:00+07:00" };
  const sent = await alpha.call("transfer-interbank-bulk", { ...body, bulkObject });
  const got = await endpoint.until(1);
  assertSigned(got, sandbox.file);
  assert.equal(got.path, "/v1.0/transfer-interbank-bulk/notify");
  const {
    bulkId,
    partnerBulkId,
    bulkObject: entries,
  } = got.body as { bulkId: string; partnerBulkId: string; bulkObject: Json[] };
  assert.deepEqual([bulkId, partnerBulkId], [sent.body["bulkId"], sent.body["bulkId"]]);
  assert.deepEqual(
    entries.map((entry) => [entry["partnerReferenceNo"], entry["responseCode"], Object.keys(entry).length]),
    [
      ["N21-0", "2002000", 3],
      ["N21-1", "4042011", 3],
      ["N21-2", "4032005", 3],
      ["N21-3", "2002000", 3],
    ],
  );
});

test("a system that fails is tried ten times on schedule, then given up; a replay delivers it", async () => {
  const endpoint = await useEndpoint();
  const failing = [{ status: 500 }, { body: "<html>" }, { status: 302, headers: { Location: "/elsewhere" } }];
  endpoint.replies.push(...failing, ...Array.from({ length: 7 }, () => ({ status: 503 })));
  const sent = await send(rtgs);
  await endpoint.until(1);
  for (const [index, seconds] of [11, 33, 66, 132, 330, 3_960, 7_920, 19_800, 59_400].entries()) {
    await fixture.advance(seconds);
    await endpoint.until(index + 2);
  }
  const dead = await untilState(sent, "dead");
  assert.deepEqual([endpoint.received.length, dead.attempts.length], [10, 10]);
  assert.equal(new Set(endpoint.received.map(({ headers, text }) => `${headers["x-external-id"]} ${text}`)).size, 1);
  await fixture.advance(86_400);
  assert.equal(endpoint.received.length, 10);
  assert.deepEqual(await replay({ dead: true }), { replayed: 1 });
  await endpoint.until(11);
  await untilState(sent, "delivered");
  assert.equal((await replay({ dead: true })).replayed, 0);
});

test("a system that has it already says 409xx00, and it counts as delivered; another code does not", async () => {
  const endpoint = await useEndpoint();
  endpoint.replies.push(
    { status: 409, body: { responseCode: "4097601" } },
    { status: 409, body: { responseCode: "4097600" } },
  );
  const sent = await send(rtgs);
  await endpoint.until(1);
  await fixture.advance(11);
  await endpoint.until(2);
  await untilState(sent, "delivered");
});

test("without an address it is kept; a replay sends it, to the address or elsewhere", async () => {
  await control.call("PUT", "partners/alpha/notification-address", { url: null });
  const sent = await send(rtgs);
  await untilState(sent, "kept");
  const elsewhere = stack.use(await startEndpoint());
  const { referenceNo } = sent.body;
  assert.deepEqual(await replay({ referenceNo, url: elsewhere.url }), { replayed: 1 });
  assertSigned(await elsewhere.until(1), sandbox.file);
  // Recorded shortly after the reply: what still waits is not replayed.
  await untilState(sent, "delivered");
  const endpoint = await useEndpoint();
  assert.deepEqual(await replay({ referenceNo }), { replayed: 1 });
  const again = await endpoint.until(1);
  assert.equal(again.text, elsewhere.received[0]?.text);
});

test("replies that are late, too long, garbage, redirects, or none are failed attempts, and other partners do not wait", async () => {
  const endpoint = await useEndpoint();
  const other = stack.use(await startEndpoint());
  await control.call("PUT", "partners/beta/notification-address", { url: other.url });
  const quick: readonly Reply[] = [
    { body: "x".repeat(10_000_000) },
    { body: "<html>\0</html>" },
    { status: 307, headers: { Location: `${other.url}/v1.0/transfer-rtgs/notify` } },
    { misbehave: (response) => void response.destroy() },
  ];
  const wrong = [...slowReplies, ...quick];
  endpoint.replies.push(...wrong);
  const sent: Answer[] = [];
  while (sent.length < wrong.length) sent.push(await send(rtgs));
  const startedAt = Date.now();
  const betaPayer = await fixture.newPayer("1000000000.00", { partnerId: "beta" });
  await fixture.beta.call(rtgs.path, railBody(rtgs, betaPayer));
  await other.until(1);
  assert.ok(Date.now() - startedAt < 2_000);
  const failed = await Promise.all(
    sent.map((one) =>
      eventually(async () => {
        const [newest] = await notificationsOf(one);
        return newest?.attempts[0]?.failure !== undefined && newest;
      }),
    ),
  );
  assert.deepEqual(new Set(failed.map(({ state }) => state)), new Set(["waiting"]));
  const failures = failed.map(({ attempts }) => attempts[0]?.failure ?? "");
  const countOf = (reason: RegExp) => failures.filter((failure) => reason.test(failure)).length;
  const counts = [/^TimeoutError/, /^ResponseExceededMaxSizeError/, /HTTP 200 without/, /HTTP 307/, /^SocketError/];
  assert.deepEqual(counts.map(countOf), [4, 1, 1, 1, 1], failures.join("\n"));
  await fixture.advance(11);
  await Promise.all(sent.map((one) => untilState(one, "delivered")));
  assert.equal(other.received.length, 1);
});

test("a reply that was lost after the notification was handled: the copy's 409xx00 delivers it", async () => {
  const endpoint = await useEndpoint();
  endpoint.replies.push(
    { misbehave: (response) => void response.destroy() },
    { status: 409, body: { responseCode: "4097600", responseMessage: "Conflict" } },
  );
  const sent = await send(rtgs);
  await endpoint.until(1);
  await fixture.advance(11);
  const { attempts } = await untilState(sent, "delivered");
  assert.deepEqual(
    attempts.map(({ httpStatus }) => httpStatus),
    [409, undefined],
  );
  const [first, copy] = endpoint.received.map(({ headers, text }) => [headers["x-external-id"], text]);
  assert.deepEqual(copy, first);
});

test("TLS to a port without it fails, and is retried at the address as it is then", async () => {
  const endpoint = stack.use(await startEndpoint("?tenant=7"));
  const change = (url: string) => control.call("PUT", "partners/alpha/notification-address", { url });
  await change(endpoint.url.replace("http:", "https:"));
  const sent = await send(rtgs);
  const failed = await eventually(async () => {
    const [newest] = await notificationsOf(sent);
    return newest?.attempts[0];
  });
  assert.match(failed.failure ?? "", /SSL|TLS|EPROTO/i);
  assert.match(failed.url, /^https:.*\/v1\.0\/transfer-rtgs\/notify\?tenant=…$/);
  await change(endpoint.url);
  await fixture.advance(11);
  await untilState(sent, "delivered");
});
