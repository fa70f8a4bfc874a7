/**
 * A transfer within the bank, from the first question to the last: whose account it is, the transfer, the same one
 * again as after a lost answer, its status.
 *
 *   npm start                                                           in one terminal
 *   npx node --conditions=source examples/intrabank-transfer.ts         in another
 */
import { readFileSync } from "node:fs";
import { type ClientOptions, createClient, isSnapError } from "@titian/client";

interface Partner {
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly sourceAccounts: readonly [string, string];
}

type Sandbox = Pick<ClientOptions, "baseUrl" | "pathPrefix" | "version"> & { readonly partners: readonly [Partner] };

/** Where the sandbox is, and the keys of its partners; with a real bank these come from onboarding. */
const file = process.argv[2] ?? ".titian/sandbox.json";
const { baseUrl, pathPrefix, version, partners } = JSON.parse(readFileSync(file, "utf8")) as Sandbox;
const { partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts } = partners[0];
const [sourceAccountNo, beneficiaryAccountNo] = sourceAccounts;

// The client gets its token when it needs one, signs every call, and checks every answer.
const client = createClient({
  baseUrl,
  pathPrefix,
  version,
  partnerId,
  channelId,
  clientKey,
  credentials: { mode: "symmetric", clientSecret, privateKey },
});

console.log(`Whose account is ${beneficiaryAccountNo}?`);
const inquiry = await client.internalAccountInquiry({ beneficiaryAccountNo });
console.log(inquiry);

// Prepared, the transfer has its X-EXTERNAL-ID and its bytes before anything is sent: store it, and no crash of ours
// can make two transfers of it.
const attempt = client.prepare("intrabankTransfer", {
  partnerReferenceNo: `INV-${Date.now()}`,
  amount: { value: "125000.00", currency: "IDR" },
  sourceAccountNo,
  beneficiaryAccountNo,
  transactionDate: new Date().toISOString(),
  remark: "Invoice 7",
});
console.log("\nThe transfer:");
const transfer = await client.send(attempt);
console.log(transfer);

console.log("\nThe same transfer again, as if its answer had been lost:");
try {
  await client.repeat(attempt);
} catch (error) {
  if (!isSnapError(error, "intrabankTransfer")) throw error;
  const { responseCode, responseMessage, isDecided, latestTransactionStatus, originalResponse } = error;
  console.log({ responseCode, responseMessage, isDecided, latestTransactionStatus, originalResponse });
}

console.log("\nIts status:");
const status = await client.statusInquiryBank({ serviceCode: "17", originalExternalId: attempt.externalId });
console.log(status);
