import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "@titian/client";

const file = join(process.env.TITIAN_DATA_DIR ?? ".titian", "sandbox.json");
if (!existsSync(file))
  fail({ message: `No ${file} here: run it in the repository's root, with the sandbox started (npm start)` });
const { baseUrl, pathPrefix, version, partners } = JSON.parse(readFileSync(file, "utf8"));
const [{ partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts }] = partners;
const credentials = { mode: "symmetric", clientSecret, privateKey };
const client = createClient({ baseUrl, pathPrefix, version, partnerId, channelId, clientKey, credentials });

function fail(error) {
  console.error(error.message);
  process.exit(1);
}

const attempt = client.prepare("intrabankTransfer", {
  partnerReferenceNo: crypto.randomUUID(),
  amount: { value: "250000.00", currency: "IDR" },
  sourceAccountNo: sourceAccounts[0],
  beneficiaryAccountNo: sourceAccounts[1],
  transactionDate: new Date(Date.now()).toISOString(),
});
// The cause is the token's.
const isLost = ({ isFinal, cause }) =>
  isFinal === false || cause?.code === "ERR_NO_RESPONSE" || cause?.httpStatus >= 500;
// Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
// It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
let sent = client.send(attempt);
for (const wait of [1_000, 2_000, 4_000, 8_000]) {
  sent = sent.catch(async (error) => {
    if (!isLost(error)) throw error;
    await setTimeout(wait);
    return client.repeat(attempt);
  });
}
const response = await sent.catch((error) => {
  const first = error.originalResponse;
  return first?.responseCode?.startsWith("2") ? first : fail(error);
});
console.log(response.raw ?? response);
