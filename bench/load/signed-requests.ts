/** Whole HTTP requests as bytes, signed before the window in which they are sent. */
import { createSecretKey } from "node:crypto";
import { formatTimestamp, hashBody, headerNames, signHmac, stringToSign } from "@titian/contract";
import type { BenchPartner } from "./partner.ts";

/** A function that makes one signed call of an operation; `id` is its external id. */
export type SignRequest = (id: string, body: object) => Buffer;

export function createSigner(partner: BenchPartner, accessToken: string, operationPath: string): SignRequest {
  const path = `${partner.path}/${operationPath}`;
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

  return (id, fields) => {
    const body = JSON.stringify(fields);
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
