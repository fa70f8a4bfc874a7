import type { Client } from "@titian/client";

const idr = (value: string) => ({ value, currency: "IDR" });

export async function chargeStay(client: Client, merchantId: string, order: string) {
  const amount = idr("150000.00"); // left out: the merchant's default amount
  const placed = await client.authPayment({ partnerReferenceNo: order, merchantId, title: "Deposit", amount });
  if (placed.referenceNo === undefined) throw new Error(`${order} is not decided yet`);
  const hold = { originalReferenceNo: placed.referenceNo, originalPartnerReferenceNo: order, merchantId };
  await client.authCapture({
    ...hold,
    partnerCaptureNo: `${order}-1`,
    title: "Hotel bill",
    captureAmount: idr("120000.00"), // left out: all that remains
    lastCapture: "true", // a text; releases what is left
  });
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R1`,
    refundAmount: idr("20000.00"), // left out: all that was captured and not refunded
  });
  const { latestTransactionStatus, additionalInfo } = await client.authPaymentQuery(hold);
  return { latestTransactionStatus, additionalInfo };
}
