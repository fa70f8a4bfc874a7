/** The object in a body, leniently: whether it may be read so is judged elsewhere. */
import { isObject } from "@titian/contract";

/** Longer bodies are left alone: parsing a bulk takes too long for a remark. */
const bodyMax = 1_048_576;

export function readBody(body: Uint8Array | undefined): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined || body.length > bodyMax) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
