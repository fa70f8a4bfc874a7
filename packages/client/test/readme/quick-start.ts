import { readFileSync } from "node:fs";
import { createClient } from "@titian/client";

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
// Sent, and repeated or asked for until it is decided: exactly once.
const result = await client.settle(attempt, { until: new Date(Date.now() + 30_000) });
if (result.state === "done") console.log("done:", result.response.referenceNo);
else if (result.state === "rejected") console.log("rejected:", result.caseName, result.reason);
else console.log("unknown: settle it again after", result.askAgainAt);
