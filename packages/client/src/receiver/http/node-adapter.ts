/** `node:http` and frameworks built on it. Reads the raw bytes itself; Express' `originalUrl` is the path as received. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HandleIncoming, BodyLimits, BodyOutcome, Incoming } from "./incoming.ts";
import type { Reply } from "./reply.ts";

/** Members that frameworks add: the path before a router cut its own part off, and a body that was read before. */
interface FrameworkRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** Limits of time and length for discarding an unread body, so that a sender who is still writing gets the response. */
const discardMs = 2_000;
const discardBytes = 2_097_152;

export async function handleNodeRequest(
  handle: HandleIncoming,
  request: FrameworkRequest,
  response: ServerResponse,
): Promise<void> {
  // A connection that breaks is seen by reading or writing; unheard, its error would end the process.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  try {
    await send(request, response, await handle(toIncoming(request)));
  } catch {
    response.destroy();
  }
}

function toIncoming(request: FrameworkRequest): Incoming {
  return {
    method: request.method ?? "",
    target: request.originalUrl ?? request.url ?? "/",
    headers: request.headers,
    readBody: (limits) => readNodeBody(request, limits),
  };
}

function readNodeBody(request: FrameworkRequest, { maxBytes, timeoutMs }: BodyLimits): Promise<BodyOutcome> {
  const given = request.rawBody ?? request.body;
  if (given instanceof Uint8Array) return Promise.resolve(given.length > maxBytes ? "tooLarge" : given);
  if (request.readableDidRead || request.readableEnded) return Promise.resolve("alreadyRead");
  return new Promise((settle) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (outcome: BodyOutcome) => {
      clearTimeout(timer);
      request.off("data", onData);
      request.pause();
      settle(outcome);
    };
    const timer = setTimeout(finish, timeoutMs, "tooSlow");
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) finish("tooLarge");
      else chunks.push(chunk);
    };
    request.on("data", onData);
    request.on("end", () => finish(Buffer.concat(chunks, size)));
    request.on("close", () => finish("aborted"));
  });
}

async function send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  const isRead = request.complete;
  const body = Buffer.from(reply.body, "utf8");
  const headers = { ...reply.headers, "Content-Length": String(body.length) };
  response.writeHead(reply.status, isRead ? headers : { ...headers, Connection: "close" });
  if (isRead) {
    response.end(body);
    return;
  }
  response.write(body);
  await discard(request);
  response.end();
  if (!request.complete) request.destroy();
}

function discard(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(resolve, discardMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > discardBytes) finish();
    });
    request.on("end", finish);
    request.on("close", finish);
    if (request.destroyed) finish();
  });
}
