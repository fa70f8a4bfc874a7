/** Reads an answer's body, and no more of it than an answer can have. */
import type { FetchResponse } from "./fetch.ts";

/** Far above the longest answer: it echoes a request of at most 64 KiB, twice when it repeats an earlier answer. */
export const longestBodyBytes = 1_048_576;

/** The bytes of the body, or undefined when there are too many; then the rest is left unread. */
export async function readBody(response: FetchResponse): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream.
    if (length > longestBodyBytes) return undefined;
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
