import { createHash } from "node:crypto";

/** Hash of all that must be the same on each attempt: path, partner and body. */
export function contentHash(path: string, partnerId: string, body: string): string {
  return createHash("sha256").update([path, partnerId, body].join("\n")).digest("base64");
}
