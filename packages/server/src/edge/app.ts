/** Everything the edge serves beside the operations: health, metrics, documentation, what compose mounts, and the 404s. */
import type { Server } from "node:http";
import Fastify, { type FastifyInstance, type FastifyServerFactoryHandler } from "fastify";
import { newCorrelationId } from "../ids.ts";
import type { Log } from "../log.ts";
import { bareEnvelope } from "./bare-envelope.ts";

export interface AppOptions {
  /** Makes the server to listen with; the handler is for every request that is for no operation. */
  readonly createServer: (handler: FastifyServerFactoryHandler) => Server;
  readonly log: Log;
}

export function createApp({ createServer, log }: AppOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    serverFactory: (handler) => createServer(handler),
    // A target that is no path at all, such as one with broken percent-encoding.
    frameworkErrors: (_error, _request, { raw }) => {
      raw.writeHead(404, { "Content-Type": "application/json" }).end(bareEnvelope.unknownPath);
    },
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("application/json").send(bareEnvelope.unknownPath));
  app.setErrorHandler((error, request, reply) => {
    reply.type("application/json");
    if (request.is404) return reply.code(404).send(bareEnvelope.unknownPath);
    if (isCallersFault(error)) return reply.code(400).send(bareEnvelope.badRequest);
    const correlationId = newCorrelationId();
    log.error("A request beside the operations failed.", { correlationId, error });
    return reply.code(500).header("X-CORRELATION-ID", correlationId).send(bareEnvelope.generalError);
  });
  return app;
}

/** Fastify's own refusals (an unreadable body, an unknown media type) carry the status they stand for. */
function isCallersFault(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return false;
  return typeof error.statusCode === "number" && error.statusCode >= 400 && error.statusCode < 500;
}
