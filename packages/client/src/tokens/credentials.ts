/** Keys and secrets as key objects, which show nothing when inspected. */
import { createPrivateKey, createSecretKey } from "node:crypto";
import type { ParsedKey } from "@titian/contract";

/** RSA key of at least 2,048 bits (spec D3): PEM, or parsed by `node:crypto`. */
export type PrivateKey = string | ParsedKey;

/**
 * `symmetric` (mode 1, the usual one): calls are signed with the client secret and a token, which the private key
 * obtains. `asymmetric` (mode 2): calls are signed with the private key, without a token. Fixed per partner (D4).
 */
export type Credentials =
  | { readonly mode: "symmetric"; readonly clientSecret: string; readonly privateKey: PrivateKey }
  | { readonly mode: "asymmetric"; readonly privateKey: PrivateKey };

export type CredentialKeys =
  | { readonly mode: "symmetric"; readonly secret: ParsedKey; readonly privateKey: ParsedKey }
  | { readonly mode: "asymmetric"; readonly privateKey: ParsedKey };

const minModulusBits = 2_048;

export function readCredentials(credentials: Credentials): CredentialKeys {
  const privateKey = readPrivateKey(credentials.privateKey);
  if (credentials.mode === "asymmetric") return { mode: "asymmetric", privateKey };
  if (credentials.mode !== "symmetric") throw new TypeError('credentials.mode must be "symmetric" or "asymmetric"');
  const { clientSecret } = credentials;
  if (typeof clientSecret !== "string" || clientSecret === "") {
    throw new TypeError("credentials.clientSecret must be the secret given at onboarding");
  }
  return { mode: "symmetric", secret: createSecretKey(clientSecret, "utf8"), privateKey };
}

function readPrivateKey(given: PrivateKey): ParsedKey {
  const key = typeof given === "string" ? parsePem(given) : given;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.type !== "private" || key.asymmetricKeyType !== "rsa" || bits < minModulusBits) {
    throw new TypeError(`credentials.privateKey must be an RSA private key of at least ${minModulusBits} bits`);
  }
  return key;
}

function parsePem(pem: string): ParsedKey {
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the parser's error, which could carry parts of the key into a log.
    throw new TypeError("credentials.privateKey must be an unencrypted PKCS#8 or PKCS#1 key in PEM");
  }
}
