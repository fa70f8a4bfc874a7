/** Payment requests as an operator, or a payer's console, sees them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { findPaymentRequest, listPaymentRequests } from "../../packages/server/src/views/transfers/payment-requests.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { findTransfer } from "../../packages/server/src/views/transfers/transfers.ts";
import {
  approvePaymentRequest,
  declinePaymentRequest,
} from "../../packages/server/src/rails/commands/answer-payment-request.ts";
import { startNode } from "../support/administration.ts";
import { unknownNumber } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { requestAndAnswer } from "../support/payment-request-fixture.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const { partnerId, waiting, declined, own, rail } = await requestAndAnswer(node);
const queries = { pool: node.reads, clock: node.clock, reference: node.reference };

test("found by its number or by that of its approval, with its answer and what became of it", async () => {
  const request = await findPaymentRequest(queries, waiting);
  const { acceptedAt, expiresAt, externalId, payer, ...known } = request ?? assert.fail();
  assert.equal(payer?.accountNo, "4001");
  assert.ok(acceptedAt <= node.clock.now() && expiresAt > node.clock.now() && externalId.length > 0);
  assert.deepEqual(known, {
    referenceNo: waiting,
    partnerId,
    partnerReferenceNo: "WAITING",
    payerAccountNo: "4001",
    beneficiary: { accountNo: "4002", name: "Siti", bankCode: "999", isOurs: true },
    beneficiaryBankName: undefined,
    feeType: undefined,
    remark: undefined,
    currency: "IDR",
    requestedAmount: 1_000n,
    approvedAmount: undefined,
    state: "waiting",
    meaning: "Waiting for the payer's answer",
    status: "01",
    answeredAt: undefined,
    answeredBy: undefined,
    transfer: undefined,
    postings: [],
  });
  const ofDeclined = await findPaymentRequest(queries, declined);
  assert.deepEqual([ofDeclined?.state, ofDeclined?.status, ofDeclined?.answeredBy], ["declined", "05", "operator"]);

  const ofOwn = (await findPaymentRequest(queries, own)) ?? assert.fail();
  const [posting, ...more] = ofOwn.postings;
  assert.deepEqual([ofOwn.status, ofOwn.approvedAmount, ofOwn.transfer, more], ["00", 1_000n, undefined, []]);
  assert.deepEqual([posting?.kind, posting?.fromAccountNo, posting?.toAccountNo], ["transfer", "4001", "4002"]);
  assert.deepEqual(await findPaymentRequest(queries, posting?.referenceNo ?? ""), ofOwn);

  const ofRail = (await findPaymentRequest(queries, rail)) ?? assert.fail();
  const [submission] = ofRail.postings;
  assert.deepEqual([ofRail.requestedAmount, ofRail.approvedAmount, ofRail.status], [undefined, 3_000n, "02"]);
  assert.deepEqual([submission?.kind, submission?.amount], ["submission", 253_000n]);
  // The transfer has the request's number, and is found by that of the approval, too.
  assert.deepEqual(ofRail.transfer, await findTransfer(queries, submission?.referenceNo ?? ""));
  const { referenceNo, service, beneficiary, postings } = ofRail.transfer ?? assert.fail();
  assert.deepEqual([referenceNo, service, beneficiary.bankCode], [rail, 19, "014"]);
  assert.deepEqual(postings, ofRail.postings);
});

test("listed for the payer's account, newest first, in pages, waiting or all; expired ones wait for nothing", async () => {
  const numbersOf = async (
    page: Parameters<typeof listPaymentRequests>[2],
    clock: { now(): number; real(): number } = node.clock,
  ) => {
    const found = (await listPaymentRequests({ ...queries, clock }, "4001", page)) ?? assert.fail();
    return [found.paymentRequests.map((one) => one.partnerReferenceNo), found.next] as const;
  };
  assert.deepEqual(await numbersOf({ isWaiting: true, limit: 5 }), [["WAITING"], undefined]);
  assert.deepEqual(await numbersOf({ isWaiting: true, limit: 5 }, { ...node.clock, now: () => Date.UTC(2999, 0) }), [
    [],
    undefined,
  ]);
  assert.deepEqual(await numbersOf({ isWaiting: false, limit: 3 }), [["RAIL", "OWN", "DECLINED"], declined]);
  assert.deepEqual(await numbersOf({ isWaiting: false, before: declined, limit: 3 }), [["WAITING"], undefined]);
  assert.deepEqual((await listPaymentRequests(queries, "4002", { isWaiting: false, limit: 3 }))?.paymentRequests, []);
  assert.equal(await listPaymentRequests(queries, "4003", { isWaiting: true, limit: 3 }), undefined);
});

test("a number that is no payment request cannot be answered", async () => {
  for (const number of ["x", unknownNumber]) {
    assert.equal(await findPaymentRequest(queries, number), undefined);
    assert.deepEqual(await approvePaymentRequest(node, number, { by: "payer" }), { kind: "unknownPaymentRequest" });
    assert.deepEqual(await declinePaymentRequest(node, number, "payer"), { kind: "unknownPaymentRequest" });
  }
});

test("an answer waits for whoever has the request locked, and keeps no other answer waiting", async () => {
  const client = await node.database.connect();
  try {
    await client.query("begin");
    await client.query("select from payment_requests where id = $1 for update", [fromReferenceNo(waiting)]);
    const answer = declinePaymentRequest(node, waiting, "payer");
    assert.deepEqual(await declinePaymentRequest(node, declined, "payer"), { kind: "recorded" });
    assert.equal((await findPaymentRequest(queries, waiting))?.state, "waiting");
    await client.query("rollback");
    assert.deepEqual(await answer, { kind: "recorded" });
  } finally {
    client.release(true);
  }
});
