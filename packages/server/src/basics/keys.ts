/** Keys that a module of the operator's reaches, such as those of a KMS (TITIAN_KEYS, ADR 0087). */

/** Default export of such a module. `signal` is aborted when the answer comes too late. */
export interface Keys {
  /** RSASSA-PKCS1-v1_5 with SHA-256 of the bytes, by the private half of TITIAN_PROVIDER_KEY. */
  sign(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
  /** The 32 bytes of a master key, from the text that its setting has. */
  unseal(text: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** The module failed, took too long, or answered no bytes. */
class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** Time limit of one answer. */
export const keysLimitMs = 5_000;

/** Signs a text, in Base64. @throws KeysUnavailable */
export async function signBy(keys: Keys, text: string): Promise<string> {
  const bytes = await bytesOf("sign", (signal) => keys.sign(Buffer.from(text, "utf8"), signal));
  return bytes.toString("base64");
}

/** @throws KeysUnavailable */
export function unsealBy(keys: Keys, text: string): Promise<Buffer> {
  return bytesOf("unseal", (signal) => keys.unseal(text, signal));
}

async function bytesOf(name: keyof Keys, ask: (signal: AbortSignal) => Promise<Uint8Array>): Promise<Buffer> {
  const late = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const error = new KeysUnavailable(`${name} of TITIAN_KEYS did not answer within ${keysLimitMs / 1_000} s`);
    late.reject(error);
    controller.abort(error);
  }, keysLimitMs);
  try {
    const found: unknown = await Promise.race([late.promise, (async () => ask(controller.signal))()]);
    if (found instanceof Uint8Array) return Buffer.from(found);
    throw new Error(`it answered ${typeof found}, not a Uint8Array`);
  } catch (error) {
    if (error instanceof KeysUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new KeysUnavailable(`${name} of TITIAN_KEYS failed: ${why}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
