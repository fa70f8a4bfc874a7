/** One way of making a signature of a text: answers whether the signature received was made that way. */
import { createHmac, hash } from "node:crypto";
import type { Decoding } from "./decode-signature.ts";
import { type HmacDigest, repeatedHmac } from "./repeated-hmac.ts";
import type { TextSet } from "./signed-texts.ts";
import { type Option, type Variation, variation } from "./variation.ts";

export interface Oracle {
  readonly by: readonly Variation[];
  /** The texts that this way may have signed. */
  readonly texts: TextSet;
  readonly verifies: (text: string) => boolean;
  /** Work of one text, where a digest is 1. */
  readonly cost: number;
}

const hmacCost = 3;
const digestNames = { 16: "md5", 20: "sha1", 32: "sha256", 48: "sha384", 64: "sha512" } as const;
export const digestTitles = {
  md5: "MD5",
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
} as const satisfies Record<HmacDigest, string>;

export function digestOfLength(length: number): HmacDigest | undefined {
  return (digestNames as Readonly<Record<number, HmacDigest>>)[length];
}

export const algorithm = (id: Parameters<typeof variation>[1], name: string) =>
  variation("algorithm", id, { algorithm: name });

/** HMAC with one key; SHA-512 is the right digest. */
export function hmacOracle(
  { bytes, by }: Decoding,
  key: Option<Buffer>,
  texts: TextSet,
  mode: readonly Variation[],
): Oracle | undefined {
  const name = digestOfLength(bytes.length);
  if (name === undefined) return undefined;
  const hmac = repeatedHmac(name, key.value);
  const signature = bytes.toString("base64");
  const other = name === "sha512" ? [] : [algorithm("algorithm.otherHmac", `HMAC-${digestTitles[name]}`)];
  return {
    by: [...mode, ...other, ...key.by, ...by],
    texts,
    verifies: (text) => hmac(text) === signature,
    cost: hmacCost,
  };
}

/** Digests without HMAC: no key at all, the secret written beside the text, key and text exchanged, the text hashed before. */
export function digestOracles({ bytes, by }: Decoding, secrets: readonly string[], texts: TextSet): readonly Oracle[] {
  const name = digestOfLength(bytes.length);
  if (name === undefined) return [];
  const title = digestTitles[name];
  const make = (id: Parameters<typeof variation>[1], digest: (text: string) => Buffer, cost = 1): Oracle => ({
    by: [algorithm(id, title), ...by],
    texts,
    verifies: (text) => digest(text).equals(bytes),
    cost,
  });
  return [
    make("algorithm.noKey", (text) => hash(name, text, "buffer")),
    ...secrets.flatMap((secret) => [
      make("algorithm.secretInText", (text) => hash(name, text + secret, "buffer")),
      make("algorithm.secretInText", (text) => hash(name, secret + text, "buffer")),
      make("algorithm.exchanged", (text) => createHmac(name, text).update(secret).digest(), hmacCost),
      make(
        "algorithm.hashedBefore",
        (text) => createHmac(name, secret).update(hash("sha256", text)).digest(),
        hmacCost,
      ),
    ]),
  ];
}
