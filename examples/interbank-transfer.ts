/**
 * Interbank transfers (18): one that settles at once, one on a slow rail, one that the rail rejects, and one whose response
 * is lost.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/interbank-transfer.ts         in another
 */
import { setTimeout } from "node:timers/promises";
import { type Attempt, createClient, isCallError, isSnapError } from "@titian/client";
import { createLossyFetch, readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts, scenarios } = readSandbox();

// Simulates a lost response.
const { fetch, loseNextResponse } = createLossyFetch();
const client = createClient({ ...connection, fetch });

/** A beneficiary account with the given simulated outcome. */
function beneficiaryOf(outcome: string) {
  const scenario = scenarios.find((one) => one.outcome === outcome);
  if (scenario === undefined) throw new Error(`sandbox.json has no scenario ${outcome}.`);
  return { beneficiaryBankCode: scenario.beneficiaryBankCode, beneficiaryAccountNo: scenario.beneficiaryAccountNo };
}

const orders = Date.now();

/** Prepared with X-EXTERNAL-ID and body before anything is sent: store it, then send it. */
function prepare(order: number, outcome: string, beneficiaryAccountName: string): Attempt<"interbankTransfer"> {
  return client.prepare("interbankTransfer", {
    partnerReferenceNo: `INV-${orders}${order}`,
    amount: { value: "250000.00", currency: "IDR" },
    ...beneficiaryOf(outcome),
    beneficiaryAccountName,
    sourceAccountNo: sourceAccounts[0],
    transactionDate: new Date().toISOString(),
  });
}

/** Asks for the status every second until it is final. */
async function untilFinal(originalExternalId: string): Promise<string> {
  const inquiry = { serviceCode: "18", originalExternalId } as const;
  const { latestTransactionStatus } = await client.statusInquiryBank(inquiry);
  if (!["01", "02", "03"].includes(latestTransactionStatus)) return latestTransactionStatus;
  await setTimeout(1_000);
  return untilFinal(originalExternalId);
}

console.log("External account inquiry (16):");
console.log(await client.externalAccountInquiry(beneficiaryOf("success")));

console.log("\nInterbank transfer (18), settled within the call:");
console.log(await client.send(prepare(1, "success", "Ratna Kusuma")));

console.log("\nA slow rail: 202, the account is debited and the result pending:");
const slow = prepare(2, "slowSuccess", "Hendra Gunawan");
const { case: caseName, responseCode, referenceNo } = await client.send(slow);
console.log({ caseName, responseCode, referenceNo });
console.log(`Its status (36) after the rail has responded: ${await untilFinal(slow.externalId)}`);

console.log("\nRejected by the rail; the money is back on the account:");
try {
  await client.send(prepare(3, "rejected", "Fitri Handayani"));
} catch (error) {
  if (!isSnapError(error, "interbankTransfer")) throw error;
  console.log({ caseName: error.caseName, responseCode: error.responseCode, isFinal: error.isFinal });
}

console.log("\nA lost response: its repeat, of the same id and body, pays nothing twice:");
const lost = prepare(4, "success", "Ratna Kusuma");
loseNextResponse();
try {
  await client.send(lost);
} catch (error) {
  if (!isCallError(error, "interbankTransfer")) throw error;
  console.log({ code: error.code, isFinal: error.isFinal });
}
try {
  console.log(await client.repeat(lost));
} catch (error) {
  if (!isSnapError(error, "interbankTransfer")) throw error;
  const { responseCode: repeated, isFinal, latestTransactionStatus, originalResponse } = error;
  console.log({ responseCode: repeated, isFinal, latestTransactionStatus, originalResponse });
}
