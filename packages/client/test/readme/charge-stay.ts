import type { Client } from "@titian/client";

const idr = (value: string) => ({ value, currency: "IDR" });

export async function chargeStay(client: Client, merchantId: string, order: string) {
  const amount = idr("150000.00"); // default: the merchant's default amount
  const placed = await client.authPayment({ partnerReferenceNo: order, merchantId, title: "Deposit", amount });
  if (placed.case !== "success") throw new Error(`${order} is still pending`);
  const hold = { originalReferenceNo: placed.referenceNo, originalPartnerReferenceNo: order, merchantId };
  await client.authCapture({
    ...hold,
    partnerCaptureNo: `${order}-1`,
    title: "Hotel bill",
    captureAmount: idr("120000.00"), // default: the remaining amount
    lastCapture: "true", // a string; releases the rest
  });
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R1`,
    refundAmount: idr("20000.00"), // default: captured and not refunded
  });
  const { latestTransactionStatus, additionalInfo } = await client.authPaymentQuery(hold);
  return { latestTransactionStatus, additionalInfo };
}
