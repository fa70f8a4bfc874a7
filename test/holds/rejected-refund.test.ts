// Spec D8: an amount that a rejected call left out is the one that would apply. Of a refund that names its capture
// that is what this capture could give back, not what all captures of the hold could.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../../packages/server/src/clock.ts";
import { useDatabase } from "../support/database/database.ts";
import { startHoldNode } from "./hold-node.ts";
import { idr, newShop, openShop, shopCall } from "./merchant.ts";

test("a rejected refund tells what the capture it names could give back", async () => {
  await using database = await useDatabase();
  const shop = newShop();
  const reference = () => ({ ...shop.reference, holdEventsMax: 2 });
  await using node = await startHoldNode({ url: database.url, clock: createClock(), reference });
  await openShop(node, shop, 10_000n);
  const send = async (name: Parameters<typeof shopCall>[1], fields: object) => {
    const reply = await node.call(shopCall(shop, name, fields));
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
