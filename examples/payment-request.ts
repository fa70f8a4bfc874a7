/**
 * Request for payment (19): one that the payer approves, one of an open amount that the payer declines, and one that
 * expires. The payer answers by control calls of the sandbox.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/payment-request.ts            in another
 */
import { setTimeout } from "node:timers/promises";
import { createClient } from "@titian/client";
import { readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts, scenarios, control } = readSandbox();
const client = createClient(connection);
const beneficiary = scenarios.find(({ outcome }) => outcome === "success");
if (beneficiary === undefined) throw new Error("sandbox.json has no scenario success.");
const { beneficiaryBankCode, beneficiaryAccountNo } = beneficiary;

const orders = Date.now();
const amount = { value: "75000.00", currency: "IDR" };
// The sandbox's time: it may have been moved.
const { now } = await control("clock");
const expiredDatetime = new Date(Date.parse(String(now)) + 3_600_000).toISOString();

/** Asks the holder of our account to pay; without an amount the payer names it. Returns the request's referenceNo. */
async function ask(order: number, more: { readonly amount?: typeof amount } = {}): Promise<string> {
  const response = await client.requestForPayment({
    partnerReferenceNo: `INV-${orders}${order}`,
    bankCode: beneficiaryBankCode,
    beneficiaryAccountNo,
    beneficiaryAccountName: "Ratna Kusuma",
    sourceAccountNo: sourceAccounts[0],
    sourceAccountName: "PT Contoh Sejahtera",
    expiredDatetime,
    ...more,
  });
  if (response.case !== "success") throw new Error(`A request for payment is never ${response.case}.`);
  console.log(response);
  return response.referenceNo ?? "";
}

async function inquire(originalReferenceNo: string) {
  const status = await client.statusInquiryBank({ serviceCode: "19", originalReferenceNo });
  const { latestTransactionStatus, transactionStatusDesc, amount: requested, additionalInfo } = status;
  return { latestTransactionStatus, transactionStatusDesc, amount: requested, additionalInfo };
}

/** Asks for the status every second until it is final. */
async function untilFinal(referenceNo: string): ReturnType<typeof inquire> {
  const status = await inquire(referenceNo);
  if (!["01", "02", "03"].includes(status.latestTransactionStatus)) return status;
  await setTimeout(1_000);
  return untilFinal(referenceNo);
}

console.log("Request for payment (19), to an account at another bank:");
const approved = await ask(1, { amount });
console.log("\nIts status (36): the payer has not answered");
console.log(await inquire(approved));
await control(`payment-requests/${approved}/approve`, {});
console.log("\nApproved by the payer, and carried by the interbank rail:");
console.log(await untilFinal(approved));

console.log("\nWithout an amount, which the payer would name:");
const declined = await ask(2);
await control(`payment-requests/${declined}/decline`, {});
console.log("\nThe payer declines:");
console.log(await inquire(declined));

console.log("\nOne that nobody answers:");
const expired = await ask(3, { amount });
await control("clock", { advanceSeconds: 3_600 });
console.log("\nIts status an hour later:");
console.log(await untilFinal(expired));
