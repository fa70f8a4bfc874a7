/** The keys of what is recorded of detached partitions: the provider's, and former ones of it. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { signRsa, verifyRsa } from "@titian/contract";
import type { RecordSigner } from "../store/partitions/partition-records.ts";

/** Keys in PEM; the one that signs is private, the others public or private. */
export function recordSignerOf(providerKey: string, others: readonly string[]): RecordSigner {
  const key = createPrivateKey(providerKey);
  return { sign: (text) => signRsa(key, text), isSigned: recordCheckOf([providerKey, ...others]) };
}

export function recordCheckOf(keys: readonly string[]): RecordSigner["isSigned"] {
  const publicKeys = keys.map((key) => createPublicKey(key));
  return (text, signature) => publicKeys.some((key) => verifyRsa(key, text, signature));
}
