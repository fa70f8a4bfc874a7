/** Requests beside operations and pages: mounted routes, and 404s. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactoryHandler,
} from "fastify";
import { newCorrelationId } from "../../basics/ids.ts";
import type { Log } from "../../observability/log.ts";
import { bareEnvelope } from "../responses/bare-envelope.ts";

export interface AppOptions {
  /** Makes the server to listen with; the handler is for every request that is for no operation. */
  readonly createServer: (handler: FastifyServerFactoryHandler) => Server;
  /** Answers `4040000`. */
  readonly sendUnknownPath: (request: IncomingMessage, response: ServerResponse) => void;
  readonly log: Log;
  /** Proxies whose `X-Forwarded-For` is believed, by address or range. */
  readonly trustedProxies: readonly string[];
}

export function createApp({ createServer, sendUnknownPath, log, trustedProxies }: AppOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => newCorrelationId(),
    serverFactory: (handler) => createServer(handler),
    // The server that is made answers malformed requests itself. Fastify's own listener would run beside it, and cut late ones.
    clientErrorHandler: () => undefined,
    // A target that is no path at all, such as one with broken percent-encoding.
    frameworkErrors: (_error, request, reply) => sendUnknownPath(request.raw, reply.raw),
  });
  const notFound = (request: FastifyRequest, reply: FastifyReply): void =>
    sendUnknownPath(request.raw, reply.hijack().raw);
  // A route and not the not-found handler, before which Fastify would read the body.
  app.addHook("onRequest", (request, reply, next) => {
    if (request.is404) return notFound(request, reply);
    reply.header("X-CORRELATION-ID", request.id);
    next();
  });
  app.setErrorHandler((error, request, reply) => {
    reply.type("application/json");
    if (isCallersFault(error)) return reply.code(400).send(bareEnvelope.badRequest);
    log.error("http.request_failed", "A request for no operation failed.", { correlationId: request.id, error });
    return reply.code(500).send(bareEnvelope.generalError);
  });
  return app;
}

/** Fastify's own rejections (an unreadable body, an unknown media type) carry the status they stand for. */
function isCallersFault(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return false;
  return typeof error.statusCode === "number" && error.statusCode >= 400 && error.statusCode < 500;
}
