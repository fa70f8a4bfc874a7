/**
 * Payments in bulk (20): a payroll of 250 payments in three bulks. The response to the first one is lost, and it is paid once
 * all the same. Three payments are rejected by the beneficiaries' banks, corrected, and paid under new numbers.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/bulk-transfer.ts              in another
 */
import { type BulkOrder, createClient, payInBulk, paymentsToRetry } from "@titian/client";
import { createLossyFetch, readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts, scenarios } = readSandbox();

// Simulates a lost response.
const { fetch, loseNextResponse } = createLossyFetch();
const client = createClient({ ...connection, fetch });

const rejecting = scenarios.find(({ outcome }) => outcome === "rejected");
if (rejecting === undefined) throw new Error("sandbox.json has no scenario rejected.");
const { beneficiaryBankCode: bankCode, beneficiaryAccountNo: rejectedAccount } = rejecting;

// Numbers and external ids are made of it: a real one is that of the month, PAYROLL-2026-11.
const name = `INV-${Date.now()}`;
const payroll: BulkOrder = {
  name,
  sourceAccountNo: sourceAccounts[0],
  payments: Array.from({ length: 250 }, (_, employee) => ({
    bankCode,
    // The banks of three employees reject the payment.
    beneficiaryAccountNo: employee % 100 === 42 ? rejectedAccount : String(7_700_000_000 + employee),
    beneficiaryAccountName: `Employee ${employee}`,
    amount: { value: "10000.00", currency: "IDR" },
  })),
};

console.log("External account inquiry (16), with which the client obtains its token:");
const inquiry = { beneficiaryBankCode: bankCode, beneficiaryAccountNo: "7700000000" };
console.log((await client.externalAccountInquiry(inquiry)).case);

console.log("\nA payroll in bulks of 100; the first response is lost, and its call repeated:");
loseNextResponse();
const onRetry = (error: Error, pauseMs: number) => console.log(`${error.name}, again in ${pauseMs} ms`);
const { bulks, counts, results } = await payInBulk(client, payroll, { maxItems: 100, onRetry });
console.log({ bulks, counts });

console.log("\nNot settled:");
for (const { payment, state, responseCode, reason } of results) {
  if (state !== "settled") console.log(payment.partnerReferenceNo, state, responseCode, reason);
}

console.log("\nThe same call again, as after a crash: nothing new is paid:");
const again = await payInBulk(client, payroll, { maxItems: 100 });
console.log({ isRepeat: again.isRepeat, counts: again.counts });

console.log("\nThe rejected payments, to other accounts and under new numbers:");
const payments = paymentsToRetry(results).map((payment, index) => ({
  ...payment,
  beneficiaryAccountNo: String(7_700_001_000 + index),
}));
const second = await payInBulk(client, { ...payroll, name: `${name}-R2`, payments });
console.log(second.results.map(({ payment, state }) => [payment.partnerReferenceNo, state]));
