/** The listener on loopback: reads each request as bytes, has it answered, and reports the exchange. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Clock } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { type Answer, type Exchange, type Incoming, plainReply, type Reply } from "./incoming.ts";

export interface ListenServer {
  /** `http://127.0.0.1:41234` */
  readonly origin: string;
  /** Ends when what is being answered has its reply. */
  close(): Promise<void>;
}

export interface ListenServerOptions {
  /** 0: a free one. */
  readonly port: number;
  readonly partnerId: string;
  readonly clock: Clock;
  readonly answer: Answer;
  /** Called when a request is read; what it returns, when it was answered. */
  readonly onIncoming: (incoming: Incoming) => (exchange: Exchange) => void;
}

/** Says to another listener whose notifications this one receives. */
export const listenerHeader = "X-Titian-Listener";
const host = "127.0.0.1";
/** A bulk of 10,000 items has about 1.5 MB. */
const bodyBytesMax = 16_777_216;
/** Time for replies under way when the listener stops. */
const drainMs = 3_000;

/** @throws CliError when the port is taken. */
export async function startListenServer(options: ListenServerOptions): Promise<ListenServer> {
  const { port } = options;
  const server = createServer((request, response) => void serve(request, response, options));
  server.listen({ port, host, exclusive: true });
  await once(server, "listening").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const why = code === "EADDRINUSE" ? "in use by another program" : `not available (${code})`;
    throw usageError(`--port ${port} is ${why}. Choose another one, or leave --port out for a free one.`);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    origin: `http://${host}:${bound}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), drainMs).unref();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, options: ListenServerOptions): Promise<void> {
  const { partnerId, clock, answer, onIncoming } = options;
  // A connection that breaks is seen by its signal; unheard, its error would end the process.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  if (request.method !== "POST" || request.url?.startsWith("/") !== true) {
    const text = `titian listen receives the notifications of ${partnerId} here, by POST.`;
    return send(response, { ...plainReply(405, text), headers: ["Allow", "POST", listenerHeader, partnerId] });
  }
  const [receivedAt, startedAt] = [clock.real(), clock.monotonic()];
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = await readBody(request);
  if (body === undefined) return send(response, plainReply(413, `The body is larger than ${bodyBytesMax} bytes.`));
  const { headers, rawHeaders, url: target } = request;
  const incoming: Incoming = { receivedAt, target, headers, rawHeaders, body, signal: gone.signal };
  const onAnswered = onIncoming(incoming);
  const reply = await answer(incoming);
  const isAbandoned = gone.signal.aborted;
  send(response, reply);
  onAnswered({ incoming, reply, durationMs: clock.monotonic() - startedAt, isAbandoned });
}

/** Undefined: it is too large, or the connection broke. */
async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > bodyBytesMax) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return;
  const length = hasBody(status) ? ["Content-Length", String(body.length)] : [];
  response.writeHead(status, [...headers, ...length]);
  response.end(hasBody(status) ? body : undefined);
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 304;
}
