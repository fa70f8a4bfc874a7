/**
 * Access tokens that the provider presents in mode 1. Stateless: `expiry.mac`, the expiry in seconds since the epoch, the
 * mac its HMAC-SHA256. Every process that has the secret verifies them, after a restart too.
 */
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { ParsedKey } from "@titian/contract";

const shape = /^(\d{1,12})\.([\w-]{43})$/;
/** Keeps these macs apart from any other use of the same secret. */
const purpose = "titian-receiver-token:";

const macOf = (secret: ParsedKey, expiry: string): Buffer =>
  createHmac("sha256", secret as KeyObject)
    .update(`${purpose}${expiry}`)
    .digest();

/** `expiresAt`: milliseconds since the epoch, rounded up to seconds. */
export function issueReceiverToken(secret: ParsedKey, expiresAt: number): string {
  const expiry = String(Math.ceil(expiresAt / 1_000));
  return `${expiry}.${macOf(secret, expiry).toString("base64url")}`;
}

/** True when one of the secrets has issued the token, and it has not expired. */
export function isReceiverToken(secrets: readonly ParsedKey[], token: string, now: number): boolean {
  const [, expiry = "", mac = ""] = shape.exec(token) ?? [];
  if (expiry === "") return false;
  const given = Buffer.from(mac, "base64url");
  return secrets.some((secret) => timingSafeEqual(macOf(secret, expiry), given)) && now < Number(expiry) * 1_000;
}
