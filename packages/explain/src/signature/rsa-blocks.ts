/**
 * Blocks that RSA public keys make of signatures: each key is read once in an explanation, and applied once to each
 * signature.
 */
import { constants, createPublicKey, type KeyObject, publicDecrypt } from "node:crypto";

export interface RsaBlock {
  readonly key: KeyObject;
  /** Bytes of the key's length: padding and what was signed. */
  readonly bytes: Buffer;
}

/** Undefined: no RSA key, or of another length than the signature. */
export type ReadRsaBlock = (pem: string, signature: Buffer) => RsaBlock | undefined;

interface PublicKey {
  readonly key: KeyObject;
  readonly bytes: number;
}

/** RSA of 1,024 bits: no digest is as long. */
const signatureMin = 128;
/** RFC 8017, 8.2.2: 00 01, at least eight FF, 00. */
const paddingMin = 8;

export function createRsaBlocks(): ReadRsaBlock {
  const keys = new Map<string, PublicKey | undefined>();
  const blocks = new Map<string, RsaBlock | undefined>();

  function keyOf(pem: string): PublicKey | undefined {
    if (!keys.has(pem)) keys.set(pem, parse(pem));
    return keys.get(pem);
  }

  return (pem, signature) => {
    if (signature.length < signatureMin) return undefined;
    const name = `${signature.toString("base64")} ${pem}`;
    if (!blocks.has(name)) blocks.set(name, decrypt(keyOf(pem), signature));
    return blocks.get(name);
  };
}

/**
 * Content that was signed with the padding of PKCS #1 v1.5; undefined when the block has another, so that the key is
 * another.
 */
export function pkcs1Content({ bytes }: RsaBlock): Buffer | undefined {
  const end = bytes.indexOf(0, 1);
  const isPadded = bytes[0] === 0 && bytes[1] === 1 && end >= 2 + paddingMin;
  return isPadded && bytes.subarray(2, end).every((byte) => byte === 0xff) ? bytes.subarray(end + 1) : undefined;
}

function parse(pem: string): PublicKey | undefined {
  try {
    const key = createPublicKey(pem);
    const bits = key.asymmetricKeyType === "rsa" ? key.asymmetricKeyDetails?.modulusLength : undefined;
    return bits === undefined ? undefined : { key, bytes: bits / 8 };
  } catch {
    return undefined;
  }
}

function decrypt(key: PublicKey | undefined, signature: Buffer): RsaBlock | undefined {
  if (key?.bytes !== signature.length) return undefined;
  try {
    return { key: key.key, bytes: publicDecrypt({ key: key.key, padding: constants.RSA_NO_PADDING }, signature) };
  } catch {
    // A number that the key's modulus does not reach.
    return undefined;
  }
}
