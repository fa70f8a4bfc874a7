/**
 * Secrets at rest (spec D3): what this process reads again is sealed with AES-256-GCM under a key derived from the master key, client
 * secrets of partners with a public key (client-secret-seal.ts). Each purpose has a derived key of its own; the master key itself
 * encrypts nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import {
  clientSecretFormat,
  isClientSecret,
  openClientSecret,
  privateKeyOf,
  publicHalfOf,
  type SealingKey,
  type SecretPlace,
} from "./client-secret-seal.ts";

/** 32 bytes each. The previous one still opens what was sealed before a rotation; nothing new is sealed with it. */
export interface MasterKeys {
  readonly current: Buffer;
  readonly previous?: Buffer;
}

/** A key of 32 bytes for one purpose, and the id by which what was made with it names it. */
interface DerivedKey {
  readonly id: string;
  readonly key: Buffer;
}

export interface Secrets {
  /**
   * Encrypts a text. `context` says what and whose it is (`partner-secret:<key>`); the text opens only under the same
   * context, so that one row's secret cannot be moved to another.
   * @returns `1.<key id>.<base64url of nonce, tag and ciphertext>`
   */
  seal(plain: string, context: string): string;
  /** @throws SealError when the text was not sealed by us, was changed, or belongs to another context. */
  open(sealed: string, context: string): string;
  /**
   * A client secret; one that an earlier release sealed has no credential in its context.
   * @returns `unknownSecret` in a process without a master key.
   * @throws SealError as `open`, and where the text is no client secret: anybody can seal one with the public key, also an empty one.
   */
  openClientSecret(sealed: string, place: SecretPlace): Promise<OpenedSecret>;
  /** Public keys that client secrets are sealed with, the current master key's first. */
  readonly sealingKeys: readonly SealingKey[];
  /** True when the text was sealed with another than the current master key and should be sealed again. */
  isStale(sealed: string): boolean;
  /** Keys for a purpose, the current master key's first. */
  derive(purpose: string): readonly [DerivedKey, ...DerivedKey[]];
}

/** Stands for a client secret where there is no master key to open it with. */
export const unknownSecret = Symbol("a client secret that is not opened here");

export type OpenedSecret = string | typeof unknownSecret;

export class SealError extends Error {
  override readonly name = "SealError";
  /** Id of the master key that the text names, where it is none of ours: the text itself may be whole. */
  readonly otherKeyId: string | undefined;

  constructor(message: string, otherKeyId?: string) {
    super(message);
    this.otherKeyId = otherKeyId;
  }
}

const format = "1";
const nonceBytes = 12;
const tagBytes = 16;

export function createSecrets(masterKeys: MasterKeys): Secrets {
  const derive = (purpose: string): [DerivedKey, ...DerivedKey[]] => {
    const current = deriveKey(masterKeys.current, purpose);
    return masterKeys.previous === undefined ? [current] : [current, deriveKey(masterKeys.previous, purpose)];
  };
  const sealing = derive("sealing");
  // Both formats name a master key by one id.
  const pairs = derive("client secrets").map(({ key }, index) => newPair(sealing[index]?.id ?? "", privateKeyOf(key)));
  return {
    seal: (plain, context) => seal(sealing[0], plain, context),
    open: (sealed, context) => open(sealing, sealed, context),
    openClientSecret: async (sealed, place) => {
      const secret = sealed.startsWith(`${format}.`)
        ? open(sealing, sealed, `partner-secret:${place.partner}`)
        : await openWithPair(pairs, sealed, place);
      if (!isClientSecret(secret)) throw new SealError("What is sealed is no client secret.");
      return secret;
    },
    sealingKeys: pairs,
    isStale: (sealed) => sealed.split(".")[1] !== sealing[0].id,
    derive,
  };
}

function deriveKey(master: Buffer, purpose: string): DerivedKey {
  const bytes = Buffer.from(hkdfSync("sha256", master, "", `titian:${purpose}`, 36));
  return { id: bytes.toString("hex", 32), key: bytes.subarray(0, 32) };
}

function seal({ id, key }: DerivedKey, plain: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${format}.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

interface SealingPair extends SealingKey {
  readonly privateKey: KeyObject;
}

const newPair = (id: string, privateKey: KeyObject): SealingPair => ({
  id,
  publicKey: publicHalfOf(privateKey),
  privateKey,
});

/** Key and payload of a sealed text of the format. @throws SealError */
function readSealed<Key extends { readonly id: string }>(keys: readonly Key[], sealed: string, expected: string) {
  const [version, id, payload] = sealed.split(".");
  const match = keys.find((candidate) => candidate.id === id);
  if (version !== expected || payload === undefined) throw new SealError("The text is not one of our sealed secrets.");
  if (match === undefined) {
    const message = `The secret was sealed with master key ${id}: give it as TITIAN_MASTER_KEY_PREVIOUS.`;
    throw new SealError(message, id);
  }
  return { match, payload };
}

async function openWithPair(pairs: readonly SealingPair[], sealed: string, place: SecretPlace): Promise<string> {
  const { match, payload } = readSealed(pairs, sealed, clientSecretFormat);
  try {
    return await openClientSecret(match.privateKey, payload, place);
  } catch {
    throw changed();
  }
}

const changed = () => new SealError("The sealed secret was changed or belongs to something else.");

function open(keys: readonly DerivedKey[], sealed: string, context: string): string {
  const { match, payload } = readSealed(keys, sealed, format);
  const bytes = Buffer.from(payload, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", match.key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw changed();
  }
}
