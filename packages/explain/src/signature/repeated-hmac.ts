/** HMAC (RFC 2104) of many short texts with one key, several times as fast as `createHmac`, which makes objects for each. */
import { createHmac, hash } from "node:crypto";

export type HmacDigest = "md5" | "sha1" | "sha256" | "sha384" | "sha512";

const textMax = 4_096;
const innerPad = 0x36;
const outerPad = 0x5c;
const blockSizes = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 } as const;
const digestSizes = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

/** The HMAC of a text, in Base64. */
export function repeatedHmac(digest: HmacDigest, key: Buffer): (text: string) => string {
  const block = blockSizes[digest];
  const inner = Buffer.alloc(block + textMax, innerPad);
  const outer = Buffer.alloc(block + digestSizes[digest], outerPad);
  for (const [at, byte] of (key.length > block ? hash(digest, key, "buffer") : key).entries()) {
    inner[at] = byte ^ innerPad;
    outer[at] = byte ^ outerPad;
  }
  return (text) => {
    // A character of UTF-16 has at most three bytes.
    if (text.length * 3 > textMax) return createHmac(digest, key).update(text, "utf8").digest("base64");
    const length = inner.write(text, block, "utf8");
    outer.write(hash(digest, inner.subarray(0, block + length)), block, "hex");
    return hash(digest, outer, "base64");
  };
}
