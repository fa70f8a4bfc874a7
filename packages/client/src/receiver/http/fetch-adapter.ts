/** The Fetch API: `Request` in, `Response` out. */
import type { HandleIncoming, BodyLimits, BodyOutcome } from "./incoming.ts";

export async function handleFetchRequest(handle: HandleIncoming, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const reply = await handle({
    method: request.method,
    target: `${pathname}${search}`,
    headers: Object.fromEntries(request.headers),
    readBody: (limits) => readFetchBody(request, limits),
  });
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}

async function readFetchBody(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<BodyOutcome> {
  if (request.bodyUsed) return "alreadyRead";
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<"tooSlow">((resolve) => {
    timer = setTimeout(resolve, timeoutMs, "tooSlow");
  });
  const outcome = await Promise.race([readAll(reader, maxBytes), tooSlow]);
  clearTimeout(timer);
  // Nobody reads the rest; a stream that is at its end does not mind.
  if (typeof outcome === "string") reader.cancel().catch(() => undefined);
  return outcome;
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<BodyOutcome> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, size);
      size += value.length;
      if (size > maxBytes) return "tooLarge";
      chunks.push(value);
    }
  } catch {
    return "aborted";
  }
}
