/**
 * Interbank bulk transfer (20), call by call: a payroll with a payment of every outcome, whose response is lost, followed to
 * its end; then the rejected payments are made again. `examples/bulk-transfer.ts` leaves all of this to the client.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/payroll.ts                    in another
 */
import { setTimeout } from "node:timers/promises";
import { createClient, isCallError, isSnapError } from "@titian/client";
import { createLossyFetch, readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts, scenarios, control } = readSandbox();
const { fetch, loseNextResponse } = createLossyFetch();
const client = createClient({ ...connection, fetch });

const month = `PAY-${Date.now()}`;

/** One employee for each simulated outcome. A number says what is owed, so that nobody is paid twice for a month. */
const payments = scenarios.map(({ outcome, beneficiaryBankCode, beneficiaryAccountNo }, index) => ({
  partnerReferenceNo: `${month}-E${index + 1}`,
  bankCode: beneficiaryBankCode,
  beneficiaryAccountNo,
  beneficiaryAccountName: outcome,
  amount: { value: "4500000.00", currency: "IDR" },
}));

function prepare(partnerBulkId: string, bulkObject: typeof payments) {
  const transactionDate = new Date().toISOString();
  const [sourceAccountNo] = sourceAccounts;
  const order = { partnerBulkId, customerReference: "PAYROLL", sourceAccountNo, transactionDate, bulkObject };
  return client.prepare("interbankBulkTransfer", order);
}

async function inquire(originalPartnerReferenceNo: string) {
  const inquiry = { serviceCode: "20", originalPartnerReferenceNo } as const;
  const { latestTransactionStatus, transactionStatusDesc, ...status } = await client.statusInquiryBank(inquiry);
  const counts = status.additionalInfo as Readonly<Record<string, unknown>>;
  return { latestTransactionStatus, transactionStatusDesc, referenceNumber: status.referenceNumber, counts };
}

/** Asks for the bulk until so many items have no result, and so many were returned. */
async function untilCounted(open: number, returned: number): ReturnType<typeof inquire> {
  const status = await inquire(month);
  const { openCount, returnedCount } = status.counts;
  if (openCount === String(open) && returnedCount === String(returned)) return status;
  await setTimeout(200);
  return untilCounted(open, returned);
}

console.log("Interbank bulk transfer (20) with a fault: rejected whole, the item is named:");
try {
  const faulty = payments.map((payment, index) => (index === 1 ? { ...payment, bankCode: "000" } : payment));
  await client.send(prepare(month, faulty));
} catch (error) {
  if (!isSnapError(error, "interbankBulkTransfer")) throw error;
  console.log(`${error.responseCode}\n${error.responseMessage}`);
}

console.log("\nCorrected, under the same numbers. The response is lost, and the repeat has it:");
const bulk = prepare(month, payments);
loseNextResponse();
try {
  await client.send(bulk);
} catch (error) {
  if (!isCallError(error, "interbankBulkTransfer")) throw error;
  console.log({ code: error.code, isFinal: error.isFinal });
}
try {
  console.log(await client.repeat(bulk));
} catch (error) {
  if (!isSnapError(error, "interbankBulkTransfer")) throw error;
  console.log({ responseCode: error.responseCode, originalResponse: error.originalResponse });
}

console.log("\nIts status (36): one payment is late, and of one the rail reports nothing");
console.log(await untilCounted(2, 0));
await control("clock", { advanceSeconds: 60 });
console.log("\nA minute later the late one is settled, and another one came back:");
console.log(await untilCounted(1, 1));
const silent = payments.find(({ beneficiaryAccountName }) => beneficiaryAccountName === "limbo");
const { referenceNumber } = await inquire(silent?.partnerReferenceNo ?? "");
await control(`transfers/${referenceNumber}/resolve`, { result: "settled" });
console.log("\nThe provider's operators have found out that the last one was paid:");
console.log(await untilCounted(0, 1));

console.log("\nThe payments, each by its number:");
const rejected: typeof payments = [];
for (const payment of payments) {
  const { latestTransactionStatus, transactionStatusDesc } = await inquire(payment.partnerReferenceNo);
  console.log(`  ${latestTransactionStatus}  ${payment.beneficiaryAccountName}: ${transactionStatusDesc}`);
  if (latestTransactionStatus === "06") rejected.push(payment);
}

console.log("\nThe rejected ones again, under new numbers, to the right accounts:");
const again = rejected.map((payment) => ({
  ...payment,
  partnerReferenceNo: `${payment.partnerReferenceNo}-R2`,
  beneficiaryAccountNo: "1234567890",
}));
console.log(await client.send(prepare(`${month}-R2`, again)));
