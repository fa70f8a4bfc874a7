/** The string to sign, rebuilt from the request sent (spec D3, D4). */
import { bearerToken, hashBody, headerNames, stringToSign } from "@titian/contract";

/** A request as sent, or in a dry run as it would be sent. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The string as signed; `token` can mask the access token in it. */
export function signedText({ url, headers, body }: SentRequest, token?: (sent: string) => string): string {
  const timestamp = headers[headerNames.timestamp] ?? "";
  const clientKey = headers[headerNames.clientKey];
  if (clientKey !== undefined) return stringToSign.token(clientKey, timestamp);
  const sent = bearerToken(headers[headerNames.authorization]);
  const accessToken = sent === undefined || token === undefined ? sent : token(sent);
  const { pathname, search } = new URL(url);
  return stringToSign.transaction({
    method: "POST",
    path: `${pathname}${search}`,
    accessToken,
    bodyHash: hashBody(body),
    timestamp,
  });
}
