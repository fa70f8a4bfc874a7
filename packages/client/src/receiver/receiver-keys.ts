/** Keys with which a provider's requests are verified, as key objects, which show nothing when inspected. */
import { createPublicKey, createSecretKey } from "node:crypto";
import { isPrivateKey, type ParsedKey, privateKeyAdvice } from "@titian/contract";

/** RSA key of at least 2,048 bits: PEM, or parsed by `node:crypto`. */
export type PublicKey = string | ParsedKey;

/**
 * Keys by which the provider signs its notifications, a setting at the provider. Every list may hold the old and the
 * new key while one replaces the other.
 * - `asymmetric` (mode 2, the default of a provider): with its RSA key, without a token.
 * - `symmetric` (mode 1): HMAC with our client secret, and a token that it obtains from `createTokenEndpoint`.
 */
export type ReceiverKeys =
  | { readonly mode: "asymmetric"; readonly providerPublicKeys: readonly PublicKey[] }
  | {
      readonly mode: "symmetric";
      readonly clientSecrets: readonly string[];
      /** Those of `createTokenEndpoint`. */
      readonly tokenSecrets: readonly string[];
    };

export type VerifyingKeys =
  | { readonly mode: "asymmetric"; readonly publicKeys: readonly ParsedKey[] }
  | { readonly mode: "symmetric"; readonly secrets: readonly ParsedKey[]; readonly tokenSecrets: readonly ParsedKey[] };

const minModulusBits = 2_048;
const minTokenSecretBytes = 32;

export function readReceiverKeys(keys: ReceiverKeys): VerifyingKeys {
  if (keys.mode === "asymmetric") return { mode: "asymmetric", publicKeys: readPublicKeys(keys.providerPublicKeys) };
  if (keys.mode !== "symmetric") throw new TypeError('keys.mode must be "asymmetric" or "symmetric"');
  const secrets = readList("clientSecrets", keys.clientSecrets, (secret) => {
    if (typeof secret !== "string" || secret === "") throw new TypeError("clientSecrets must be texts, none empty");
    return createSecretKey(secret, "utf8");
  });
  return { mode: "symmetric", secrets, tokenSecrets: readTokenSecrets(keys.tokenSecrets) };
}

export function readPublicKeys(keys: readonly PublicKey[]): ParsedKey[] {
  return readList("providerPublicKeys", keys, (given) => {
    if (isPrivateKey(given)) throw new TypeError(`providerPublicKeys hold a private key, ${privateKeyAdvice}`);
    const key = typeof given === "string" ? parsePem(given) : given;
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.type !== "public" || key.asymmetricKeyType !== "rsa" || bits < minModulusBits) {
      throw new TypeError(`providerPublicKeys must be RSA public keys of at least ${minModulusBits} bits`);
    }
    return key;
  });
}

export function readTokenSecrets(secrets: readonly string[]): ParsedKey[] {
  return readList("tokenSecrets", secrets, (secret) => {
    if (typeof secret !== "string" || Buffer.byteLength(secret) < minTokenSecretBytes) {
      throw new TypeError(`tokenSecrets must be random texts of at least ${minTokenSecretBytes} bytes`);
    }
    return createSecretKey(secret, "utf8");
  });
}

function readList<Given>(name: string, list: readonly Given[], read: (given: Given) => ParsedKey): ParsedKey[] {
  if (!Array.isArray(list) || list.length === 0) throw new TypeError(`${name} must be a list of at least one`);
  return list.map(read);
}

function parsePem(pem: string): ParsedKey {
  try {
    return createPublicKey(pem);
  } catch {
    throw new TypeError("providerPublicKeys must be public keys in PEM (SPKI)");
  }
}
