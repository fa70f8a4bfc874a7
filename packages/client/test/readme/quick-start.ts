import { readFileSync } from "node:fs";
import { createClient, isCallError, isSnapError } from "@titian/client";

const { baseUrl, partners } = JSON.parse(readFileSync(".titian/sandbox.json", "utf8"));
const [{ partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts }] = partners;
const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
const client = createClient({ baseUrl, partnerId, channelId, clientKey, credentials });

const attempt = client.prepare("intrabankTransfer", {
  partnerReferenceNo: "INV-2026-0001",
  amount: { value: "10000.00", currency: "IDR" },
  sourceAccountNo: sourceAccounts[0],
  beneficiaryAccountNo: sourceAccounts[1],
  transactionDate: "2026-11-21T10:00:00+07:00",
});
// Store `attempt` here: three strings, with which this transfer can be resolved after a crash.
try {
  const response = await client.send(attempt);
  console.log(response.case, response.referenceNo);
} catch (error) {
  if (isSnapError(error) && error.isFinal) console.log("rejected:", error.caseName, error.field);
  else if (isCallError(error) && !error.isFinal) console.log("unknown: client.repeat(attempt) later");
  else throw error;
}
