/** Mode 2 and the token calls: RSASSA-PKCS1-v1_5 with SHA-256 in standard Base64. */
import { constants, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { toKeyObject } from "./key-object.ts";
import type { ParsedKey } from "./parsed-key.ts";

/** A key in PEM or already parsed. Parsing costs more than verifying: keep the parsed key. */
export type RsaKey = string | ParsedKey;

const padding = constants.RSA_PKCS1_PADDING;

/** No RSA signature of a key in use is longer than that of 8,192 bits. */
const longestSignature = 1_368;

/** True when a private key was given where a public one belongs: parsing it would silently take its public half. */
export function isPrivateKey(key: RsaKey): boolean {
  return typeof key === "string" ? /PRIVATE KEY-----/.test(key) : key.type === "private";
}

/** Advice behind "a private key": the next step of who gave one. */
export const privateKeyAdvice =
  "which never leaves its owner: give the public key of the pair, and have the owner treat the private one as leaked and make a new pair.";

export function signRsa(privateKey: RsaKey, text: string): string {
  const key = typeof privateKey === "string" ? createPrivateKey(privateKey) : toKeyObject(privateKey);
  return sign("sha256", Buffer.from(text, "utf8"), { key, padding }).toString("base64");
}

/** As `signRsa`, in the thread pool: a signature of 2,048 bits holds the main thread for a quarter of a millisecond. */
export function signRsaAsync(privateKey: RsaKey, text: string): Promise<string> {
  const key = typeof privateKey === "string" ? createPrivateKey(privateKey) : toKeyObject(privateKey);
  return new Promise((resolve, reject) => {
    sign("sha256", Buffer.from(text, "utf8"), { key, padding }, (error, signature) => {
      if (error === null) resolve(signature.toString("base64"));
      else reject(error);
    });
  });
}

/**
 * Verifies a signature with the public key. False for a signature of whatever form and for a key that is not RSA;
 * throws only for a PEM that holds no key. Accepts the one canonical Base64 spelling of the bytes (spec D7 knows a
 * copied call by its `X-SIGNATURE`).
 */
export function verifyRsa(publicKey: RsaKey, text: string, signature: string): boolean {
  const key = typeof publicKey === "string" ? createPublicKey(publicKey) : toKeyObject(publicKey);
  if (key.asymmetricKeyType !== "rsa" || signature.length > longestSignature) return false;
  const bytes = Buffer.from(signature, "base64");
  if (bytes.toString("base64") !== signature) return false;
  return verify("sha256", Buffer.from(text, "utf8"), { key, padding }, bytes);
}
