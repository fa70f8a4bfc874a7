/** Who serves a request: the direct path when it is for an operation, else Fastify. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../log.ts";
import type { Answer } from "./answer.ts";
import { bareEnvelope } from "./bare-envelope.ts";
import type { HttpHandler } from "./http-server.ts";
import { announcesTooMuch } from "./read-body.ts";
import { findRoute, type Routes, targetOf } from "./routes.ts";
import type { Sender } from "./send.ts";
import type { Serve } from "./serve.ts";

interface DispatchParts {
  readonly routes: Routes;
  readonly serve: Serve;
  readonly sender: Sender;
  readonly others: HttpHandler;
  readonly log: Log;
}

export const unknownPath: Answer = { status: 404, body: bareEnvelope.unknownPath, headers: [] };
const missingHost: Answer = { status: 400, body: bareEnvelope.badRequest, headers: [] };

export function createDispatch({ routes, serve, sender, others, log }: DispatchParts): HttpHandler {
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      sender.send(response, missingHost);
      return;
    }
    const route = findRoute(routes, targetOf(request));
    if (route === undefined) {
      others(request, response);
      return;
    }
    serve(route, request, response).catch((error: unknown) => {
      // Only sending can fail here, and then nobody is left to answer.
      log.error("An answer could not be sent.", { operation: route.operation.name, error });
      response.destroy();
    });
  };
}

/** Whether a request that asks before sending its body is told to go on. */
export function mayContinue(routes: Routes, request: IncomingMessage): boolean {
  const route = findRoute(routes, targetOf(request));
  return route === undefined || (request.method === "POST" && !announcesTooMuch(request, route.bodyLimit));
}
