/** Reads the body of a response up to a limit. */
import type { FetchResponse } from "./fetch.ts";

/** Well above the longest response: it echoes a request of at most 64 KiB, twice for a repeat. */
export const maxBodyBytes = 1_048_576;

/** The bytes of the body; undefined when there are more than the limit. */
export async function readResponseBody(response: FetchResponse): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream.
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return concatenate(chunks, length);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
