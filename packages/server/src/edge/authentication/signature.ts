/** Step 7: the signature over the bytes as they were received, before anything is parsed (spec D2, D4). */
import { createPublicKey, type KeyObject } from "node:crypto";
import { hashBody, minify, stringToSign, verifyHmac, verifyRsa } from "@titian/contract";
import { LRUCache } from "lru-cache";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import { type RejectedCall, reject } from "../responses/rejected-call.ts";

interface SignedRequest {
  readonly partner: PartnerCredentials;
  /** In mode 1 the token without `Bearer`, in mode 2 undefined. */
  readonly token: string | undefined;
  /** The path as sent, query included. */
  readonly target: string;
  /** The text of `X-TIMESTAMP`. */
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Buffer;
  /** Hash of `body`. */
  readonly bodyHash: string;
}

/** Our own fault: it may be right, by a secret that does not open here. Nothing was changed, the call may be repeated. */
const unreadableSecret = reject(7, "serviceUnavailable", { retryAfter: 60 });

export const wrongSignature = reject(7, "unauthorized", { reason: "Signature" });

/**
 * Verifies with each key that is valid now. If none fits and the partner may sign pretty bodies in their minified
 * form, the bytes without white space outside strings are tried (spec D4).
 */
export function checkSignature(request: SignedRequest): RejectedCall | undefined {
  if (verifies(request, request.bodyHash)) return undefined;
  const { partner, token, body } = request;
  const minified = partner.acceptsMinifiedSignature ? minify(body) : body;
  if (minified !== body && verifies(request, hashBody(minified))) return undefined;
  // Only who holds the partner's token comes so far: a stranger learns nothing of its secrets.
  return token !== undefined && partner.unreadableSecrets !== undefined ? unreadableSecret : wrongSignature;
}

function verifies({ partner, token, target, timestamp, signature }: SignedRequest, bodyHash: string): boolean {
  const text = stringToSign.transaction({ method: "POST", path: target, accessToken: token, bodyHash, timestamp });
  return token === undefined
    ? verifiesRsa(partner, text, signature)
    : partner.secrets.some((secret) => verifyHmac(secret, text, signature));
}

/** True when one of the partner's public keys verifies the signature of the text. */
export function verifiesRsa(partner: PartnerCredentials, text: string, signature: string): boolean {
  return partner.publicKeys.some((pem) => {
    const key = publicKey(pem);
    return key !== undefined && verifyRsa(key, text, signature);
  });
}

/** RSA public keys as the verifier is fast with them: parsed once, kept while they are in use. */
const keysMax = 10_000;
const parsed = new LRUCache<string, { readonly key: KeyObject | undefined }>({ max: keysMax });

/** The key of a PEM; undefined when the text holds none, so that it verifies nothing. */
function publicKey(pem: string): KeyObject | undefined {
  let entry = parsed.get(pem);
  if (entry === undefined) {
    entry = { key: parse(pem) };
    parsed.set(pem, entry);
  }
  return entry.key;
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
