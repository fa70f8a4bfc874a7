/**
 * A signed call as somebody makes it who has installed our packages from npm: plain JavaScript, on whatever Node runs
 * this file. It has to lie beside the `node_modules` with the packages in it.
 *
 *   node pack-check-call.mjs <sandbox.json>
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { createClient, createMemoryStore, createReceiver, isSnapError } from "@titian/client";
import { formatTimestamp, hashBody, operations, signRsa, stringToSign } from "@titian/contract";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: node pack-check-call.mjs <sandbox.json>");
const { baseUrl, pathPrefix, version, partners } = JSON.parse(readFileSync(file, "utf8"));

for (const partner of partners) {
  const { partnerId, channelId, clientKey, clientSecret, privateKey, signing } = partner;
  const [sourceAccountNo, beneficiaryAccountNo] = partner.sourceAccounts;
  const credentials =
    signing === "symmetric" ? { mode: signing, clientSecret, privateKey } : { mode: signing, privateKey };
  const client = createClient({ baseUrl, pathPrefix, version, partnerId, channelId, clientKey, credentials });

  const token = await client.accessTokenB2b({ grantType: "client_credentials" });
  assert.equal(token.responseCode, "2007300");
  const inquiry = await client.internalAccountInquiry({ beneficiaryAccountNo });
  assert.equal(inquiry.responseCode, `200${operations.internalAccountInquiry.code}00`);
  const attempt = client.prepare("intrabankTransfer", {
    partnerReferenceNo: `PACK-${Date.now()}`,
    amount: { value: "1.00", currency: "IDR" },
    sourceAccountNo,
    beneficiaryAccountNo,
    transactionDate: formatTimestamp(Date.now()),
  });
  const transfer = await client.send(attempt);
  assert.equal(transfer.responseCode, "2001700");
  const repeated = await client.repeat(attempt).catch((error) => error);
  assert.ok(isSnapError(repeated, "intrabankTransfer"));
  assert.equal(repeated.originalResponse?.referenceNo, transfer.referenceNo);
  console.log(
    `Node ${process.versions.node}, ${partnerId} (${signing}): token, inquiry, transfer ${transfer.referenceNo}, its repeat told.`,
  );
}

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const received = [];
const receiver = createReceiver({
  partnerId: "PARTNER-1",
  keys: { mode: "asymmetric", providerPublicKeys: [publicKey] },
  store: createMemoryStore(),
  on: { rtgs: ({ originalReferenceNo }) => void received.push(originalReferenceNo) },
});
const server = createServer(receiver.nodeListener);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const path = "/v1.0/transfer-rtgs/notify";
const notification = { ...operations.rtgsNotification.example.request, additionalInfo: { partnerId: "PARTNER-1" } };
const body = JSON.stringify(notification);
const timestamp = formatTimestamp(Date.now());
const text = stringToSign.transaction({ method: "POST", path, bodyHash: hashBody(Buffer.from(body)), timestamp });
const headers = {
  "Content-Type": "application/json",
  "X-TIMESTAMP": timestamp,
  "X-SIGNATURE": signRsa(privateKey, text),
  "X-PARTNER-ID": "PARTNER-1",
  "X-EXTERNAL-ID": "1",
  "CHANNEL-ID": "95221",
};
const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method: "POST", headers, body });
assert.equal((await response.json()).responseCode, "2007600");
assert.deepEqual(received, [notification.originalReferenceNo]);
server.closeAllConnections();
server.close();
console.log(`Node ${process.versions.node}: a notification of ${notification.originalReferenceNo} received.`);
