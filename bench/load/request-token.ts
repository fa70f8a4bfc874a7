/** An access token by service 73. */
import { formatTimestamp, headerNames, operations, signRsa, stringToSign } from "@titian/contract";
import type { BenchPartner } from "./partner.ts";

export async function requestToken({ origin, path, clientKey, privateKey }: BenchPartner): Promise<string> {
  const timestamp = formatTimestamp(Date.now());
  const response = await fetch(`${origin}${path}/${operations.accessTokenB2b.path}`, {
    method: "POST",
    headers: {
      [headerNames.contentType]: "application/json",
      [headerNames.timestamp]: timestamp,
      [headerNames.clientKey]: clientKey,
      [headerNames.signature]: signRsa(privateKey, stringToSign.token(clientKey, timestamp)),
    },
    body: JSON.stringify({ grantType: "client_credentials" }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === "object" && answer !== null && "accessToken" in answer) return String(answer.accessToken);
  throw new Error(`The service gave no token: ${JSON.stringify(answer)}`);
}
