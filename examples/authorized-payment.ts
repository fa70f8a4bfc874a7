/**
 * An authorized payment, from the hold to the refund: a deposit is held and charged, the answer to the charge is lost
 * and learned by a repeat, and part of the money is given back.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/authorized-payment.ts         in another
 */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type ClientOptions, createClient, isCallError, isSnapError } from "@titian/client";

interface Partner {
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly sourceAccounts: readonly [string];
  readonly merchants: readonly [string];
}

type Sandbox = Pick<ClientOptions, "baseUrl" | "pathPrefix" | "version"> & { readonly partners: readonly [Partner] };

/** Where the sandbox is, and the keys of its partners; with a real bank these come from onboarding. */
const file = process.argv[2] ?? ".titian/sandbox.json";
const { baseUrl, pathPrefix, version, partners } = JSON.parse(readFileSync(file, "utf8")) as Sandbox;
const { partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts, merchants } = partners[0];
const [merchantId] = merchants;

/** So that the story can lose an answer: the call arrives at the bank, and nothing comes back. */
let losesNextAnswer = false;
const client = createClient({
  baseUrl,
  pathPrefix,
  version,
  partnerId,
  channelId,
  clientKey,
  credentials: { mode: "symmetric", clientSecret, privateKey },
  fetch: async (url, request) => {
    const response = await fetch(url, request);
    if (losesNextAnswer) {
      losesNextAnswer = false;
      throw new Error("the connection broke");
    }
    return response;
  },
});

const idr = (value: string) => ({ value, currency: "IDR" });
const order = `INV-${Date.now()}`;

console.log("A deposit is held (63):");
const payment = await client.authPayment({
  partnerReferenceNo: order,
  merchantId,
  title: "Hotel deposit",
  amount: idr("150000.00"),
  additionalInfo: { sourceAccountNo: sourceAccounts[0] },
});
console.log(payment);
if (payment.referenceNo === undefined) throw new Error("A hold that was placed has a number.");
const hold = { originalReferenceNo: payment.referenceNo, originalPartnerReferenceNo: order, merchantId };

// Prepared, the capture has its X-EXTERNAL-ID and its bytes before anything is sent: store it, and no crash of ours can
// charge twice.
const attempt = client.prepare("authCapture", {
  ...hold,
  partnerCaptureNo: `${order}-1`,
  title: "Hotel bill",
  captureAmount: idr("120000.00"),
  lastCapture: "true",
});

const sendsMax = 5;

/** Charges, and does not end before it is known whether the money moved: several sends, all of the same attempt. */
async function chargeOnce(sends = 1): Promise<string | undefined> {
  try {
    const answer = sends === 1 ? await client.send(attempt) : await client.repeat(attempt);
    return answer.captureNo;
  } catch (error) {
    if (isCallError(error, "authCapture") && !error.isDecided && sends < sendsMax) {
      console.log({ code: error.code, isDecided: error.isDecided });
      await setTimeout(200 * sends);
      return chargeOnce(sends + 1);
    }
    if (!isSnapError(error, "authCapture") || error.latestTransactionStatus !== "00") throw error;
    // Accepted before: the answer to the repeat carries the one that was lost.
    console.log({ responseCode: error.responseCode, latestTransactionStatus: error.latestTransactionStatus });
    return error.originalResponse?.captureNo;
  }
}

console.log("\nIt is charged (65), and the answer is lost:");
losesNextAnswer = true;
const captureNo = await chargeOnce();
console.log(`Charged once, as ${captureNo}.`);

console.log("\nWhat became of the capture (66), and of the hold (64):");
const { partnerCaptureNo, captureAmount, latestCaptureStatus } = await client.authCaptureQuery({
  ...hold,
  partnerCaptureNo: `${order}-1`,
});
console.log({ partnerCaptureNo, captureAmount, latestCaptureStatus });
const { latestTransactionStatus, amount, additionalInfo } = await client.authPaymentQuery(hold);
console.log({ latestTransactionStatus, amount, additionalInfo });

console.log("\nPart of it is given back (69):");
console.log(
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R1`,
    refundAmount: idr("20000.00"),
    reason: "Minibar not used",
  }),
);

console.log("\nMore than was charged is refused, which is an answer like any other:");
try {
  await client.authRefund({
    originalPartnerReferenceNo: order,
    partnerRefundNo: `${order}-R2`,
    refundAmount: idr("120000.00"),
  });
} catch (error) {
  if (!isSnapError(error, "authRefund")) throw error;
  const { caseName, responseCode, isDecided, response } = error;
  console.log({ caseName, responseCode, isDecided, refundNo: response.refundNo });
}
