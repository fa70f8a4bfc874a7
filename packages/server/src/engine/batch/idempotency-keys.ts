/** Duplicate keys: 16-byte hashes of (partner, kind, value) alone, so that a retry always meets its first call. */
import { hash } from "node:crypto";
import { toUuid } from "../../ids.ts";

function keyOf(...parts: readonly string[]): string {
  // The separator cannot stand in any part: the edge rejects control characters.
  return toUuid(hash("sha256", parts.join("\u001f"), "hex").slice(0, 32));
}

export function externalIdKey(partner: string, externalId: string): string {
  return keyOf(partner, "x", externalId);
}

/**
 * Key of a partner's number within one service (`partnerReferenceNo`), or within what one earlier
 * request began: then the reference to it goes before the number (`partnerCaptureNo`…).
 */
export function partnerReferenceKey(partner: string, service: string, ...number: readonly string[]): string {
  return keyOf(partner, "n", service, ...number);
}

export function signatureKey(partner: string, signature: string): string {
  return keyOf(partner, "s", signature);
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
