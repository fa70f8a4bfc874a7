/**
 * The socket side of the edge: time-outs, malformed HTTP, `Expect`, and what happens to connections on close.
 * Everything that reaches a handler from here is a well-formed request, and whoever sent anything else still gets
 * an envelope where one can be written.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface HttpServerOptions {
  readonly handler: HttpHandler;
  /** Whether a request that asks to continue may send its body; false makes the handler answer at once. */
  readonly mayContinue: (request: IncomingMessage) => boolean;
  /** The body of the answer to what is not HTTP. */
  readonly malformedBody: string;
  /** Our time as answers carry it. */
  readonly timestamp: () => string;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
/** More connections than this are closed as they come, so that those there are keep being served. */
const connectionsMax = 16_384;

export function createHttpServer({ handler, mayContinue, malformedBody, timestamp }: HttpServerOptions): Server {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 5_000,
    noDelay: true,
    // Node would answer a request without Host itself, without an envelope.
    requireHostHeader: false,
  });
  server.maxConnections = connectionsMax;
  server.on("request", handler);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (mayContinue(request)) response.writeContinue();
    handler(request, response);
  });
  // An expectation nobody defined is no reason to refuse a payment.
  server.on("checkExpectation", handler);
  const refuse = (socket: Duplex) => refuseMalformed(socket, malformedBody, timestamp());
  server.on("clientError", (error: Error, socket: Duplex) => {
    if ("code" in error && error.code === "ECONNRESET") socket.destroy();
    else refuse(socket);
  });
  // Node would close the connection of whoever takes us for a proxy without a word.
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => refuse(socket));
  return server;
}

/**
 * Answers a connection whose bytes could not be read as HTTP, or came too slowly, and closes it.
 * A request before it on the same connection may still be waiting for its answer: then nothing is written, because the
 * caller would take this refusal for that answer.
 */
function refuseMalformed(socket: Duplex, body: string, timestamp: string): void {
  if (!socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-TIMESTAMP: ${timestamp}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/** Whether a request that came in whole is being handled on this connection. Node keeps its response at the socket. */
function isAnswering(socket: Duplex): boolean {
  if (!("_httpMessage" in socket)) return false;
  const response = socket._httpMessage;
  if (typeof response !== "object" || response === null || !("req" in response)) return false;
  const request = response.req;
  const isWhole = typeof request === "object" && request !== null && "complete" in request && request.complete === true;
  return isWhole || ("headersSent" in response && response.headersSent === true);
}
