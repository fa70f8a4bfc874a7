/** Mode 1: HMAC-SHA512 in standard Base64, keyed with the client secret as UTF-8 text. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { toKeyObject } from "./key-object.ts";
import type { ParsedKey } from "./parsed-key.ts";

export function signHmac(secret: string | ParsedKey, text: string): string {
  const key = typeof secret === "string" ? secret : toKeyObject(secret);
  return createHmac("sha512", key).update(text, "utf8").digest("base64");
}

/**
 * Verifies that a signature is the text's, compared in constant time and as text: no other spelling of the same bytes
 * is accepted, because a copy of a rejected call is known by its `X-SIGNATURE` (spec D7). Never throws.
 */
export function verifyHmac(secret: string | ParsedKey, text: string, signature: string): boolean {
  const expected = Buffer.from(signHmac(secret, text), "latin1");
  const given = Buffer.from(signature, "utf8");
  return expected.length === given.length && timingSafeEqual(expected, given);
}
