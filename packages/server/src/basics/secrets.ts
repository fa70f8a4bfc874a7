/**
 * Secrets at rest (spec D3): sealed with AES-256-GCM under a key derived from the master key.
 * Whatever needs a key of its own (tokens…) derives one here; the master key itself encrypts nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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
  /** True when the text was sealed with another than the current master key and should be sealed again. */
  isStale(sealed: string): boolean;
  /** Keys for a purpose, the current master key's first. */
  derive(purpose: string): readonly [DerivedKey, ...DerivedKey[]];
}

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
  return {
    seal: (plain, context) => seal(sealing[0], plain, context),
    open: (sealed, context) => open(sealing, sealed, context),
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

function open(keys: readonly DerivedKey[], sealed: string, context: string): string {
  const [version, id, payload] = sealed.split(".");
  const match = keys.find((candidate) => candidate.id === id);
  if (version !== format || payload === undefined) throw new SealError("The text is not one of our sealed secrets.");
  if (match === undefined) {
    const message = `The secret was sealed with master key ${id}: give it as TITIAN_MASTER_KEY_PREVIOUS.`;
    throw new SealError(message, id);
  }
  const bytes = Buffer.from(payload, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", match.key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new SealError("The sealed secret was changed or belongs to something else.");
  }
}
