/** A provider key of a test's own, in PEM. */
import { generateKeyPairSync } from "node:crypto";

export function newProviderKey(): string {
  return generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey;
}
