/** The text that we verify a call's signature of. */
import { hashBody, stringToSign } from "@titian/contract";
import type { Received } from "../received.ts";

/** Undefined where the call does not have what belongs into it. Without a partner, mode 1 is taken if there is a token. */
export function signedText(received: Received): string | undefined {
  const { evidence, operation, kind, timestamp, clientKey, target, token, partner } = received;
  if (operation === undefined || timestamp === "") return undefined;
  if (kind === "token") return clientKey === "" ? undefined : stringToSign.token(clientKey, timestamp);
  if (evidence.body === undefined || evidence.isBodyCut === true) return undefined;
  const takesToken = partner === undefined ? token !== undefined : partner.signing === "symmetric";
  if (takesToken && token === undefined) return undefined;
  const accessToken = takesToken ? token : undefined;
  return stringToSign.transaction({
    method: evidence.method,
    path: target,
    accessToken,
    bodyHash: hashBody(evidence.body),
    timestamp,
  });
}
