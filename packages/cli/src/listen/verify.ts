/** Verifies what arrived and says how, check by check: the receiver's own answer names only the first failure. */
import { createPublicKey, createSecretKey } from "node:crypto";
import {
  bearerToken,
  hashBody,
  isObject,
  parseTimestamp,
  readHeaders,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import type { Incoming } from "./incoming.ts";
import type { Provider } from "./provider.ts";

export interface Verification {
  readonly verified: boolean;
  /** 1: client secret and token · 2: the provider's key. */
  readonly mode: 1 | 2;
  /** Every check that failed, as a sentence. Empty: all have passed. */
  readonly failures: readonly string[];
  /** Age of `X-TIMESTAMP` when it arrived (s), below 0 for one ahead; absent without one. */
  readonly ageSeconds?: number;
  /** `X-PARTNER-ID`; of a token call `X-CLIENT-KEY`. Absent where headers are missing. */
  readonly sender?: string;
  /** `additionalInfo.partnerId` of the signed body: whose notification it is. */
  readonly partnerId?: string;
  /** Text that must have been signed, without the token; where the signature does not verify. */
  readonly stringToSign?: string;
}

/** As the SDK's receiver, by default. */
const windowSeconds = 300;

/** `isToken`: a call of `access-token/b2b`, which the provider's key signs in either mode. */
export function verify(incoming: Incoming, provider: Provider, isToken: boolean): Verification {
  return isToken ? verifyTokenCall(incoming, provider) : verifyNotification(incoming, provider);
}

function verifyNotification(incoming: Incoming, provider: Provider): Verification {
  const { headers, target, body } = incoming;
  const accessToken = bearerToken(headers.authorization);
  const mode = accessToken === undefined ? 2 : 1;
  const read = readHeaders("transaction", headers);
  if (!read.ok) return { verified: false, mode, failures: [headerFault(read)] };
  const { timestamp, signature, partnerId } = read.value;
  const call = { method: "POST", path: target, bodyHash: hashBody(body), timestamp };
  const text = stringToSign.transaction({ ...call, accessToken });
  const verifies = (signed: string) =>
    accessToken === undefined
      ? verifyRsa(createPublicKey(provider.publicKey), signed, signature)
      : verifyHmac(createSecretKey(provider.clientSecret, "utf8"), signed, signature);
  // The signed path, whole or the service's alone, is a setting of the partner.
  const isSigned =
    verifies(text) || verifies(stringToSign.transaction({ ...call, accessToken, path: servicePathOf(target) }));
  const key = mode === 1 ? "the client secret and the token" : "the provider's public key";
  const age = ageOf(timestamp, incoming);
  const named = partnerIn(body);
  const failures = [
    ...(isSigned ? [] : [`X-SIGNATURE does not verify with ${key} of sandbox.json`]),
    ...windowFault(age),
    ...(partnerId === provider.partnerId ? [] : [`X-PARTNER-ID is ${partnerId}, not ${provider.partnerId}`]),
    ...partnerFault(named, provider.partnerId),
  ];
  const shown = accessToken === undefined ? text : stringToSign.transaction({ ...call, accessToken: "<token>" });
  return {
    verified: failures.length === 0,
    mode,
    failures,
    ageSeconds: age,
    sender: partnerId,
    ...(named !== undefined && { partnerId: named }),
    ...(!isSigned && { stringToSign: shown }),
  };
}

/** Version and path of the service, which end the path of a notification. */
function servicePathOf(target: string): string {
  const [path = ""] = target.split("?", 1);
  return `/${path.split("/").slice(-3).join("/")}`;
}

/** The partner that the body names: the provider's key signs for all partners, and X-PARTNER-ID is not signed. */
function partnerIn(body: Uint8Array): string | undefined {
  try {
    const fields: unknown = JSON.parse(new TextDecoder().decode(body));
    const info = isObject(fields) ? fields["additionalInfo"] : undefined;
    const named = isObject(info) ? info["partnerId"] : undefined;
    return typeof named === "string" ? named : undefined;
  } catch {
    return undefined;
  }
}

function partnerFault(named: string | undefined, partnerId: string): readonly string[] {
  if (named === partnerId) return [];
  if (named === undefined)
    return ["additionalInfo.partnerId is missing: the body does not say whose notification it is"];
  return [`additionalInfo.partnerId is ${named}, not ${partnerId}: it is another partner's notification`];
}

function verifyTokenCall(incoming: Incoming, provider: Provider): Verification {
  const read = readHeaders("token", incoming.headers);
  if (!read.ok) return { verified: false, mode: 1, failures: [headerFault(read)] };
  const { clientKey, timestamp, signature } = read.value;
  const text = stringToSign.token(clientKey, timestamp);
  const isSigned = verifyRsa(createPublicKey(provider.publicKey), text, signature);
  const age = ageOf(timestamp, incoming);
  const failures = [
    ...(isSigned ? [] : ["X-SIGNATURE does not verify with the provider's public key of sandbox.json"]),
    ...windowFault(age),
    ...(clientKey === provider.clientKey ? [] : [`X-CLIENT-KEY is ${clientKey}, not ${provider.clientKey}`]),
  ];
  return {
    verified: failures.length === 0,
    mode: 1,
    failures,
    ageSeconds: age,
    sender: clientKey,
    ...(!isSigned && { stringToSign: text }),
  };
}

function ageOf(timestamp: string, { receivedAt }: Incoming): number {
  return Math.round((receivedAt - (parseTimestamp(timestamp) ?? Number.NaN)) / 1_000);
}

function windowFault(age: number): readonly string[] {
  if (Math.abs(age) <= windowSeconds) return [];
  const where = age > 0 ? `${age} s old` : `${-age} s ahead`;
  return [`X-TIMESTAMP is ${where}, and ${windowSeconds} s are allowed`];
}

function headerFault({ case: caseName, field }: { readonly case: string; readonly field: string }): string {
  return `the header ${field} is ${caseName === "invalidMandatoryField" ? "missing" : "malformed"}`;
}
