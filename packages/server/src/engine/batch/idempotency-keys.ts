/**
 * Duplicate keys: hashes of (partner, kind, value) alone, so that a retry always meets its first call. The keys of requests
 * begin with 4 bytes that the values have in common which differ in their last three characters alone: numbers that a
 * caller counts up are neighbours, and are found and added in the same few pages of an index.
 */
import { hash } from "node:crypto";
import { toUuid } from "../../basics/ids.ts";

// The separator cannot stand in any part: the edge rejects control characters.
const separator = "\u001f";

/** First bit by kind of key: external ids are given up after their window, numbers live for ever. */
const firstBit = { externalId: 0, number: 8 };

/** 4 bytes of SHA-256 without the last three characters of the value, the first bit replaced; 12 of SHA-256 of it all. */
function keyOf(kind: keyof typeof firstBit, ...parts: readonly string[]): string {
  const text = parts.join(separator);
  const own = hash("sha256", text, "hex");
  const shared = hash("sha256", text.slice(0, sharedLength(text, parts.at(-1) ?? "")), "hex");
  const first = (Number.parseInt(shared.slice(0, 1), 16) & 7) | firstBit[kind];
  return toUuid(first.toString(16) + shared.slice(1, 8) + own.slice(0, 24));
}

/** Length of the text without the last three characters of its end: of what they count as in UTF-8, not in UTF-16. */
function sharedLength(text: string, end: string): number {
  let length = text.length;
  const begin = length - end.length;
  for (let count = 0; count < 3 && length > begin; count += 1) {
    length -= (text.codePointAt(length - 2) ?? 0) > 0xffff && length - 2 >= begin ? 2 : 1;
  }
  return length;
}

export function externalIdKey(partner: string, externalId: string): string {
  return keyOf("externalId", partner, "x", externalId);
}

/**
 * Key of a partner's number within one service (`partnerReferenceNo`), or within what one earlier
 * request began: then the reference to it goes before the number (`partnerCaptureNo`…).
 */
export function partnerReferenceKey(partner: string, service: string, ...number: readonly string[]): string {
  return keyOf("number", partner, "n", service, ...number);
}

export function signatureKey(partner: string, signature: string): string {
  return toUuid(hash("sha256", [partner, "s", signature].join(separator), "hex").slice(0, 32));
}

/** A UUIDv7 that all copies of a call share: of its `X-TIMESTAMP` (epoch ms) and the key of its signature. */
export function idOfCopies(key: string, sentAt: number): string {
  const hex = key.replaceAll("-", "");
  const time = sentAt.toString(16).padStart(12, "0");
  const variant = (Number.parseInt(hex.slice(3, 4), 16) & 3) | 8;
  return toUuid(`${time}7${hex.slice(0, 3)}${variant.toString(16)}${hex.slice(4, 19)}`);
}

/** Hash of what spec D7 calls content; the caller names the parts in a fixed order. */
export function requestFingerprint(parts: readonly (string | undefined)[]): string {
  return toUuid(hash("sha256", JSON.stringify(parts), "hex").slice(0, 32));
}

/** First 16 bytes of the hex SHA-256 of the minified body. */
export function shortBodyHash(bodyHash: string): string {
  return toUuid(bodyHash.slice(0, 32));
}
