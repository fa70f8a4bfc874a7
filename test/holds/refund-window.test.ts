// Spec D10: a capture may be refunded for so many days from its time on, as its merchant had it when it was made.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { useDatabase } from "../support/database/database.ts";
import { queryRows } from "../support/database/with-client.ts";
import { startHoldNode } from "./hold-node.ts";
import { idr, merchantCall, merchantId, newMerchant, openAccounts } from "./merchant.ts";

const day = 86_400_000;

test("a capture is refunded within the days that its merchant had when it was made, and never later", async () => {
  await using database = await useDatabase();
  const merchant = newMerchant();
  const clock = createClock();
  const key = merchantKeyOf(merchant.partner, merchantId);
  let refundDays = 30;
  const reference = () => {
    const terms = merchant.reference.merchants.get(key) ?? assert.fail();
    return { ...merchant.reference, merchants: new Map([[key, { ...terms, refundMs: refundDays * day }]]) };
  };
  await using node = await startHoldNode({ url: database.url, clock, reference });
  await openAccounts(node, merchant, 10_000n);
  const send = async (name: Parameters<typeof merchantCall>[1], fields: object) => {
    const reply = await node.call(merchantCall(merchant, name, fields));
    const { refundAmount, captureNo, referenceNo } = reply.fields as Readonly<Record<string, unknown>>;
    return { result: [reply.case, reply.reason, refundAmount], captureNo, referenceNo };
  };
  const { referenceNo } = await send("authPayment", { partnerReferenceNo: "P-1", amount: idr("60.00") });
  const original = { originalReferenceNo: referenceNo, originalPartnerReferenceNo: "P-1" };
  const capture = async (amount: string) =>
    (await send("authCapture", { ...original, captureAmount: idr(amount) })).captureNo;
  const refund = async (fields: object) => (await send("authRefund", { ...original, ...fields })).result;
  const closed = (amount: string) => ["transactionNotPermitted", "Refund window", idr(amount)];
  const first = await capture("10.00");
  refundDays = 60;
  const second = await capture("20.00");
  const earlier = await capture("30.00");
  // As a release without the column writes it.
  await queryRows(database.ownerUrl, "update hold_events set refund_until = null where amount = 3000");
  // The merchant's days of today say nothing of captures made before.
  refundDays = 1_825;

  clock.setOffset(30 * day - 60_000);
  assert.deepEqual(await refund({ originalCaptureNo: first, refundAmount: idr("1.00") }), [
    "success",
    undefined,
    idr("1.00"),
  ]);
  clock.setOffset(30 * day);
  assert.deepEqual(await refund({ originalCaptureNo: first }), closed("0.00"));
  assert.deepEqual(await refund({ originalCaptureNo: first, refundAmount: idr("99.00") }), closed("99.00"));
  assert.deepEqual(await refund({ refundAmount: idr("50.01") }), [
    "exceedsTransactionAmountLimit",
    "Refundable amount",
    idr("50.01"),
  ]);
  assert.deepEqual(await refund({ refundAmount: idr("5.00") }), ["success", undefined, idr("5.00")]);
  clock.setOffset(60 * day);
  assert.deepEqual(await refund({ originalCaptureNo: second }), closed("0.00"));
  clock.setOffset(365 * day - 60_000);
  assert.deepEqual(await refund({ refundAmount: idr("1.00") }), ["success", undefined, idr("1.00")]);
  clock.setOffset(365 * day);
  assert.deepEqual(await refund({ originalCaptureNo: earlier }), closed("0.00"));
  assert.deepEqual(await refund({}), closed("0.00"));
});
