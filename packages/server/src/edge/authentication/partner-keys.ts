/** RSA public keys as the verifier is fast with them: parsed once, kept while they are in use. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";

const keysMax = 10_000;
const parsed = new LRUCache<string, { readonly key: KeyObject | undefined }>({ max: keysMax });

/** The key of a PEM; undefined when the text holds none, so that it verifies nothing. */
export function publicKey(pem: string): KeyObject | undefined {
  let entry = parsed.get(pem);
  if (entry === undefined) {
    entry = { key: parse(pem) };
    parsed.set(pem, entry);
  }
  return entry.key;
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
