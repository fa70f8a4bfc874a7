/**
 * Client secrets of partners at rest (ADR 0084): sealed with a public key, which anybody who adds one has, and opened with the
 * private one, which is derived from the master key. JWE of `jose`: ECDH-ES on X25519, AES-256-GCM.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";

/** Public half, as the database publishes it. */
export interface SealingKey {
  /** Id of the master key that the private half is derived from. */
  readonly id: string;
  /** X25519, in Base64url. */
  readonly publicKey: string;
}

/** The row that a sealed secret belongs to: it opens for no other. */
export interface SecretPlace {
  /** Internal id of the partner. */
  readonly partner: string;
  /** Id of the credential. */
  readonly credential: string;
}

const secretShape = /^[!-~]{16,200}$/;

/** True of a text that may be a partner's client secret: 16 to 200 visible ASCII characters. */
export const isClientSecret = (text: string): boolean => secretShape.test(text);

export const clientSecretFormat = "2";
const [algorithm, encryption] = ["ECDH-ES", "A256GCM"] as const;

/** @returns `2.<key id>.<base64url of a compact JWE>` */
export async function sealClientSecret(
  { id, publicKey }: SealingKey,
  secret: string,
  { partner, credential }: SecretPlace,
): Promise<string> {
  const jwe = await new CompactEncrypt(Buffer.from(secret))
    .setProtectedHeader({ alg: algorithm, enc: encryption, partner, credential })
    .encrypt({ kty: "OKP", crv: "X25519", x: publicKey });
  return `${clientSecretFormat}.${id}.${Buffer.from(jwe).toString("base64url")}`;
}

/** `payload`: the text's last part. @throws when it is not of this key and place. */
export async function openClientSecret(privateKey: KeyObject, payload: string, place: SecretPlace): Promise<string> {
  const jwe = Buffer.from(payload, "base64url").toString();
  const options = { keyManagementAlgorithms: [algorithm], contentEncryptionAlgorithms: [encryption] };
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, privateKey, options);
  const { partner, credential } = protectedHeader;
  if (partner !== place.partner || credential !== place.credential) throw new Error("It is sealed for another place.");
  return Buffer.from(plaintext).toString();
}

const pkcs8Header = Buffer.from("302e020100300506032b656e04220420", "hex");

/** The private key whose bytes are these 32. */
export function privateKeyOf(bytes: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Header, bytes]), format: "der", type: "pkcs8" });
}

export function publicHalfOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  if (x === undefined) throw new Error("A key without a public half seals nothing.");
  return x;
}
