/** Bodies of pages compressed with gzip, each once: pages are a fixed set, so what is kept is bounded. */
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** Smaller ones fit into one packet or two as they are. */
const bytesMin = 2_048;

const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/** The same bytes for the same body; undefined: it is sent as it is. */
export async function compressedFor(headers: IncomingHttpHeaders, body: Buffer): Promise<Buffer | undefined> {
  if (body.length < bytesMin || !acceptsGzip(headers["accept-encoding"])) return undefined;
  const made = compressed.get(body) ?? compress(body);
  compressed.set(body, made);
  return made;
}

/** RFC 9110, 12.5.3: a weight of 0 says no. */
function acceptsGzip(accepted: string | string[] | undefined = ""): boolean {
  const found = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(String(accepted));
  return found !== null && Number(found[1] ?? 1) > 0;
}
