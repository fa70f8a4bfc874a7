/**
 * A signed call as somebody makes it who has installed our packages from npm: plain JavaScript, on whatever Node runs
 * this file. It has to lie beside the `node_modules` with the packages in it.
 *
 *   node pack-check-call.mjs <sandbox.json>
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createClient, isSnapError } from "@titian/client";
import { formatTimestamp, operations } from "@titian/contract";

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
