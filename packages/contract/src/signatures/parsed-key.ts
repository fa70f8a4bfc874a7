/** A key that `node:crypto` has parsed, told without Node's types: who uses the package's own needs no others. */

/** `KeyObject` of `node:crypto`, as far as it is looked at. */
export interface ParsedKey {
  readonly type: "private" | "public" | "secret";
  readonly asymmetricKeyType?: string | undefined;
  readonly asymmetricKeyDetails?: { readonly modulusLength?: number | undefined } | undefined;
  readonly export: (options?: never) => unknown;
}
