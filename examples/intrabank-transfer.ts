/**
 * An intrabank transfer (17): the account inquiry, the transfer, its repeat as after a lost response, and its status.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/intrabank-transfer.ts         in another
 */
import { createClient, isSnapError } from "@titian/client";
import { readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts } = readSandbox();
const [sourceAccountNo, beneficiaryAccountNo] = sourceAccounts;

// The client obtains its token, signs every call and checks every response.
const client = createClient(connection);

console.log(`Internal account inquiry (15) of ${beneficiaryAccountNo}:`);
const inquiry = await client.internalAccountInquiry({ beneficiaryAccountNo });
console.log(inquiry);

// A prepared transfer has its X-EXTERNAL-ID and body before anything is sent. Store it: after a crash it is repeated, never
// made twice.
const attempt = client.prepare("intrabankTransfer", {
  partnerReferenceNo: `INV-${Date.now()}`,
  amount: { value: "125000.00", currency: "IDR" },
  sourceAccountNo,
  beneficiaryAccountNo,
  transactionDate: new Date().toISOString(),
  remark: "Invoice 7",
});
console.log("\nIntrabank transfer (17):");
const transfer = await client.send(attempt);
console.log(transfer);

console.log("\nThe repeat of the same transfer, as after a lost response:");
try {
  await client.repeat(attempt);
} catch (error) {
  if (!isSnapError(error, "intrabankTransfer")) throw error;
  const { responseCode, responseMessage, isFinal, latestTransactionStatus, originalResponse } = error;
  console.log({ responseCode, responseMessage, isFinal, latestTransactionStatus, originalResponse });
}

console.log("\nStatus inquiry (36):");
const status = await client.statusInquiryBank({ serviceCode: "17", originalExternalId: attempt.externalId });
console.log(status);
