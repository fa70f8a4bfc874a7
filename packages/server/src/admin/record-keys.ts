/** The keys of what is recorded of detached partitions: the provider's, and former ones of it. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { signRsa, verifyRsa } from "@titian/contract";
import { type Keys, signBy } from "../basics/keys.ts";
import type { RecordSigner } from "../store/partitions/partition-records.ts";

/** Keys in PEM; the first is private, the others public or private. With `keys`, which sign instead, all may be public. */
export function recordSignerOf(providerKey: string, others: readonly string[], keys?: Keys): RecordSigner {
  const isSigned = recordCheckOf([providerKey, ...others]);
  if (keys) return { sign: (text) => signBy(keys, text), isSigned };
  const key = createPrivateKey(providerKey);
  return { sign: async (text) => signRsa(key, text), isSigned };
}

export function recordCheckOf(keys: readonly string[]): RecordSigner["isSigned"] {
  const publicKeys = keys.map((key) => createPublicKey(key));
  return (text, signature) => publicKeys.some((key) => verifyRsa(key, text, signature));
}
