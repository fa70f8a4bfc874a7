/**
 * The socket side of the edge: time-outs, malformed HTTP, and limits of connections. Handlers get well-formed requests
 * only; anything else gets an error envelope where one can be written.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOpts, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { newCorrelationId } from "../../basics/ids.ts";
import { type ListenerTls, tlsVersion, tlsWith12 } from "../../basics/tls.ts";
import type { HttpHandler } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Handshakes } from "./handshakes.ts";

interface HttpServerOptions {
  /** Absent: without TLS. */
  readonly tls?: (ListenerTls & { readonly handshakes: Handshakes }) | undefined;
  readonly handler: HttpHandler;
  readonly connections: Connections;
  /** Time after which a caller that takes nothing of a response is cut off. */
  readonly idleWriteMs?: number | undefined;
  /** Time for a whole request. */
  readonly requestMs?: number | undefined;
  /** Body of the response to bytes that are not HTTP. */
  readonly malformedBody: string;
  /** Our time as responses carry it. */
  readonly timestamp: () => string;
}

const headersTimeoutMs = 10_000;
const requestMsDefault = 30_000;
const lookEveryMs = 5_000;
const keepAliveTimeoutMs = 65_000;
const idleWriteMsDefault = 30_000;
/** Connections beyond this number are closed at once. */
const connectionsMax = 16_384;
/** Bytes kept of a body that nobody reads yet; no more is read. */
const unreadBodyMax = 16_384;

export function createHttpServer(options: HttpServerOptions): Server {
  const { handler, connections, malformedBody, timestamp, tls } = options;
  const { idleWriteMs = idleWriteMsDefault, requestMs = requestMsDefault } = options;
  const serverOptions: ServerOptions & ServerOpts = {
    headersTimeout: Math.min(headersTimeoutMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(lookEveryMs, Math.ceil(requestMs / 6)),
    noDelay: true,
    highWaterMark: unreadBodyMax,
    // A connection is read when it has its turn.
    pauseOnConnect: true,
    // Node would answer a request without Host itself, without an envelope.
    requireHostHeader: false,
  };
  const server: Server = tls
    ? createTlsServer({ ...serverOptions, ...tlsOptions(tls), handshakeTimeout: headersTimeoutMs })
    : createServer(serverOptions);
  server.maxConnections = connectionsMax;
  if (tls) server.on("connection", tls.handshakes.begin);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    tls?.handshakes.complete(socket);
    connections.open(socket, handler);
  });
  const take = (request: IncomingMessage, response: ServerResponse) =>
    connections.of(request.socket)?.receive(request, response);
  server.on("request", take);
  server.on("checkContinue", take);
  // An unknown expectation is no reason to reject a payment.
  server.on("checkExpectation", take);
  server.setTimeout(idleWriteMs, (socket) => {
    const connection = connections.of(socket);
    // Idle in both directions: normal while a call is processed.
    if (connection === undefined || connection.underWay === 0) socket.destroy();
    else if (socket.writableLength > 0) connections.cut(connection, "idle");
  });
  const reject = (socket: Duplex) => {
    const connection = connections.of(socket);
    if (!socket.writable || !connection?.mayReject) return void socket.destroy();
    rejectMalformed(socket, malformedBody, timestamp());
    connection.linger();
  };
  server.on("clientError", (error: Error, socket: Duplex) => {
    const code = "code" in error ? error.code : undefined;
    if (code === "ECONNRESET") socket.destroy();
    else if (code !== "ERR_HTTP_REQUEST_TIMEOUT") reject(socket);
    else if (!connections.of(socket)?.excuses(server.headersTimeout, () => reject(socket))) reject(socket);
  });
  // Node would close a connection that sends CONNECT without a response.
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    reject(socket);
    connections.of(socket)?.leave();
  });
  return server;
}

/** A caller without a certificate, or with one that does not verify, is let in: whose call it is decides if one is needed. */
function tlsOptions({ cert, key, clientCa, minVersion }: ListenerTls) {
  return {
    cert,
    key,
    ...(minVersion === "1.2" ? tlsWith12 : tlsVersion),
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
  };
}

/** Answers a connection whose bytes could not be read as HTTP, or came too slowly: the last response on it. */
function rejectMalformed(socket: Duplex, body: string, timestamp: string): void {
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-TIMESTAMP: ${timestamp}`,
    `X-CORRELATION-ID: ${newCorrelationId()}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
}
