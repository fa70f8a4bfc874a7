/** Whole HTTP requests for intrabank transfers as bytes, signed before the window in which they are sent. */
import { createSecretKey } from "node:crypto";
import { formatTimestamp, hashBody, headerNames, operations, signHmac, stringToSign } from "@titian/contract";
import type { Sides } from "../transfers/pick-accounts.ts";
import type { BenchPartner } from "./partner.ts";

/** A function that makes the request of one transfer; `id` is its external id and its number. */
export function createRequestMaker(partner: BenchPartner, accessToken: string): (id: string, sides: Sides) => Buffer {
  const path = `${partner.path}/${operations.intrabankTransfer.path}`;
  const secret = createSecretKey(partner.clientSecret, "utf8");
  // Good for five minutes: the requests are sent seconds after they are made.
  const timestamp = formatTimestamp(Date.now());
  const constantHead = [
    `POST ${path} HTTP/1.1`,
    `Host: ${partner.host}:${partner.port}`,
    "Content-Type: application/json",
    `${headerNames.authorization}: Bearer ${accessToken}`,
    `${headerNames.timestamp}: ${timestamp}`,
    `${headerNames.partnerId}: ${partner.partnerId}`,
    `${headerNames.channelId}: ${partner.channelId}`,
  ].join("\r\n");

  return (id, { from, to }) => {
    const body = JSON.stringify({
      partnerReferenceNo: id,
      amount: { value: "1.00", currency: "IDR" },
      beneficiaryAccountNo: to,
      customerReference: "INV 10052031",
      feeType: "OUR",
      remark: "Invoice 10052031",
      sourceAccountNo: from,
      transactionDate: timestamp,
    });
    const bodyHash = hashBody(Buffer.from(body));
    const signed = stringToSign.transaction({ method: "POST", path, accessToken, bodyHash, timestamp });
    const ownHead = [
      `${headerNames.externalId}: ${id}`,
      `${headerNames.signature}: ${signHmac(secret, signed)}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join("\r\n");
    return Buffer.from(`${constantHead}\r\n${ownHead}\r\n\r\n${body}`);
  };
}
