/** The checks of a notification before its body is parsed (spec D2, steps 3 to 7): headers, token, partner, time, signature. */
import {
  bearerToken,
  type HeaderValues,
  hashBody,
  parseTimestamp,
  readHeaders,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import type { Incoming } from "./http/incoming.ts";
import { type RequestRejection, reject } from "./rejection.ts";
import type { VerifyingKeys } from "./receiver-keys.ts";
import { isReceiverToken } from "./receiver-tokens.ts";

export interface VerifySettings {
  readonly partnerId: string;
  readonly keys: VerifyingKeys;
  readonly timestampWindowMs: number;
  /** From the path as received to the path as the provider sent it. */
  readonly publicPath: (target: string) => string;
}

/** Knowledge of a request by its headers alone. */
export interface Head extends HeaderValues<"transaction"> {
  /** In mode 1 the token, in mode 2 undefined. */
  readonly accessToken: string | undefined;
}

/** Everything that needs no byte of the body. */
export function checkHead({ headers }: Incoming, settings: VerifySettings, now: number): Head | RequestRejection {
  const read = readHeaders("transaction", headers);
  if (!read.ok) return rejectHeader(read);
  const accessToken = checkToken(headers["authorization"], settings.keys, now);
  if (typeof accessToken === "object") return accessToken;
  const { partnerId, timestamp } = read.value;
  if (partnerId !== settings.partnerId) {
    return reject("partner", "unauthorized", "X-PARTNER-ID is not ours.", { reason: "Unknown client" });
  }
  return checkTimestamp(timestamp, settings.timestampWindowMs, now) ?? { ...read.value, accessToken };
}

export function rejectHeader(fault: {
  readonly case: RequestRejection["caseName"];
  readonly field: string;
}): RequestRejection {
  const what = fault.case === "invalidMandatoryField" ? "is missing" : "is malformed";
  return reject("headers", fault.case, `The header ${fault.field} ${what}.`, { field: fault.field });
}

export function checkTimestamp(timestamp: string, windowMs: number, now: number): RequestRejection | undefined {
  const aheadMs = (parseTimestamp(timestamp) ?? Number.NaN) - now;
  if (Math.abs(aheadMs) <= windowMs) return undefined;
  const where = aheadMs < 0 ? `${-aheadMs} ms ago` : `${aheadMs} ms ahead`;
  const cause = `X-TIMESTAMP is ${where}, and ${windowMs} ms are allowed: a copy, or one of the clocks is wrong.`;
  return reject("timestamp", "unauthorized", cause, { reason: "Timestamp" });
}

/** In mode 1 the token, in mode 2 nothing: a token that is sent all the same is ignored. */
function checkToken(header: HeaderText, keys: VerifyingKeys, now: number): string | undefined | RequestRejection {
  if (keys.mode === "asymmetric") return undefined;
  const token = typeof header === "string" ? bearerToken(header) : undefined;
  if (token === undefined) return reject("token", "tokenNotFound", "There is no Authorization: Bearer <token>.");
  if (isReceiverToken(keys.tokenSecrets, token, now)) return token;
  return reject("token", "invalidToken", "The token has expired, or was issued with none of the tokenSecrets.");
}

type HeaderText = Incoming["headers"][string];

/** The signature over the bytes as sent, with each key that is valid now. Before anything is parsed. */
export function checkSignature(
  head: Head,
  target: string,
  body: Uint8Array,
  { keys, publicPath }: VerifySettings,
): RequestRejection | undefined {
  const { accessToken, timestamp, signature } = head;
  const path = publicPath(target);
  const call = { method: "POST", path, bodyHash: hashBody(body), timestamp };
  const text = stringToSign.transaction({ ...call, accessToken });
  const verifies =
    keys.mode === "asymmetric"
      ? keys.publicKeys.some((key) => verifyRsa(key, text, signature))
      : keys.secrets.some((secret) => verifyHmac(secret, text, signature));
  if (verifies) return undefined;
  const shown = accessToken === undefined ? text : stringToSign.transaction({ ...call, accessToken: "<token>" });
  const cause = `X-SIGNATURE verifies with none of the keys. Text to sign of ${body.length} body bytes: ${shown}`;
  return reject("signature", "unauthorized", cause, { reason: "Signature" });
}
