// Spec D8: a rejected call without an amount is answered with the amount that would apply; where a refund names its
// capture, that is the refundable amount of this capture, not of the hold.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { useDatabase } from "../support/database/database.ts";
import { startHoldNode } from "./hold-node.ts";
import { idr, merchantCall, newMerchant, openAccounts } from "./merchant.ts";

test("a rejected refund has the refundable amount of the capture it names", async () => {
  await using database = await useDatabase();
  const merchant = newMerchant();
  const reference = () => ({ ...merchant.reference, holdEventsMax: 2 });
  await using node = await startHoldNode({ url: database.url, clock: createClock(), reference });
  await openAccounts(node, merchant, 10_000n);
  const send = async (name: Parameters<typeof merchantCall>[1], fields: object) => {
    const reply = await node.call(merchantCall(merchant, name, fields));
    return { case: reply.case, ...reply.fields } as Readonly<Record<string, unknown>>;
  };
  const { referenceNo } = await send("authPayment", { partnerReferenceNo: "P-1", amount: idr("50.00") });
  const original = { originalReferenceNo: referenceNo, originalPartnerReferenceNo: "P-1" };
  const { captureNo } = await send("authCapture", { ...original, captureAmount: idr("10.00") });
  await send("authCapture", { ...original, captureAmount: idr("20.00") });
  const named = { ...original, originalCaptureNo: captureNo };
  for (const refundAmount of [idr("1.00"), idr("1.00")]) {
    assert.equal((await send("authRefund", { ...named, refundAmount })).case, "success");
  }
  const third = await send("authRefund", named);
  assert.deepEqual([third["case"], third["refundAmount"]], ["activityCountLimitExceeded", idr("8.00")]);
  const ofAll = await send("authRefund", original);
  assert.deepEqual([ofAll["case"], ofAll["refundAmount"]], ["activityCountLimitExceeded", idr("28.00")]);
  const ofNone = await send("authRefund", { ...original, originalCaptureNo: referenceNo });
  assert.deepEqual([ofNone["case"], ofNone["refundAmount"]], ["transactionNotFound", idr("0.00")]);
});
