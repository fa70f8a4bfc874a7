/** Numbers that a partner's system would make up: of digits, so that every partner may use them as an external id too. */
import { newSecret } from "@titian/server/admin";

/** 20 digits. */
export function newNumber(): string {
  const digits = Buffer.from(newSecret(8), "base64url").readBigUInt64BE();
  return digits.toString().padStart(20, "0");
}
