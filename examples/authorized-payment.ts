/**
 * An authorized payment: a hold, a capture whose response is lost and which is repeated, queries, and a partial refund.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/authorized-payment.ts         in another
 */
import { createClient, isSnapError } from "@titian/client";
import { createLossyFetch, readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts, merchants } = readSandbox();
const [merchantId] = merchants;

// Simulates a lost response.
const { fetch, loseNextResponse } = createLossyFetch();
const client = createClient({ ...connection, fetch });

const idr = (value: string) => ({ value, currency: "IDR" });
const order = `INV-${Date.now()}`;

console.log("Authorization (63), a deposit:");
const payment = await client.authPayment({
  partnerReferenceNo: order,
  merchantId,
  title: "Hotel deposit",
  amount: idr("150000.00"),
  additionalInfo: { sourceAccountNo: sourceAccounts[0] },
});
console.log(payment);
if (payment.case !== "success") throw new Error("The hold is still pending.");
const hold = { originalReferenceNo: payment.referenceNo, originalPartnerReferenceNo: order, merchantId };

// A prepared capture has its X-EXTERNAL-ID and body before anything is sent: however often it is settled, it charges once.
const attempt = client.prepare("authCapture", {
  ...hold,
  partnerCaptureNo: `${order}-1`,
  title: "Hotel bill",
  captureAmount: idr("120000.00"),
  lastCapture: "true",
});

console.log("\nCapture (65), whose response is lost:");
loseNextResponse();
const captured = await client.settle(attempt, { until: new Date(Date.now() + 30_000) });
if (captured.state !== "done") throw new Error(`The capture is ${captured.state}.`);
console.log(`Captured once: captureNo ${captured.response.captureNo}.`);

console.log("\nCapture query (66) and authorization query (64):");
const { partnerCaptureNo, captureAmount, latestCaptureStatus } = await client.authCaptureQuery({
  ...hold,
  partnerCaptureNo: `${order}-1`,
});
console.log({ partnerCaptureNo, captureAmount, latestCaptureStatus });
const { latestTransactionStatus, amount, additionalInfo } = await client.authPaymentQuery(hold);
console.log({ latestTransactionStatus, amount, additionalInfo });

console.log("\nPartial refund (69):");
console.log(
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R1`,
    refundAmount: idr("20000.00"),
    reason: "Minibar not used",
  }),
);

console.log("\nA refund of more than was captured is rejected:");
try {
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R2`,
    refundAmount: idr("120000.00"),
  });
} catch (error) {
  if (!isSnapError(error, "authRefund")) throw error;
  const { caseName, responseCode, isFinal, response } = error;
  console.log({ caseName, responseCode, isFinal, refundNo: response.refundNo });
}
