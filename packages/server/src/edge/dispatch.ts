/** Routes a request: to an operation (the direct path), else a page, else Fastify. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../observability/log.ts";
import type { Answer } from "./answer.ts";
import { bareEnvelope } from "./bare-envelope.ts";
import type { HttpHandler } from "./connections/connection.ts";
import type { Pacer } from "./connections/pacer.ts";
import type { Pages } from "./pages/pages.ts";
import { findRoute, type Routes, targetOf } from "./routes.ts";
import type { ResponseSender } from "./respond.ts";
import { awaitsContinue, type Serve } from "./serve.ts";

interface DispatchParts extends PageParts {
  readonly routes: Routes;
  readonly serve: Serve;
  readonly others: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the pages are served here; they may have a listener of their own. */
  readonly servesPages: boolean;
}

interface PageParts {
  readonly sender: ResponseSender;
  readonly pages: Pages;
  readonly pacer: Pacer;
  readonly log: Log;
}

export const unknownPath: Answer = { status: 404, body: bareEnvelope.unknownPath, headers: [] };
const missingHost: Answer = { status: 400, body: bareEnvelope.badRequest, headers: [] };

export function createDispatch(parts: DispatchParts): HttpHandler {
  const { routes, serve, sender, others, pages, pacer, servesPages, log } = parts;
  const sendPage = createPageHandler(parts);
  return (request, response, connection) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      pacer.run(request, () => sender.send(response, missingHost));
      return;
    }
    const route = findRoute(routes, targetOf(request));
    if (route === undefined) {
      if (pages.find(request) !== undefined && servesPages) return sendPage(request, response, connection);
      if (awaitsContinue(request)) response.writeContinue();
      return others(request, response);
    }
    serve(route, request, response, connection).catch((error: unknown) => {
      // Only sending can fail here: there is no one to answer.
      log.error("http.response_failed", "A response could not be sent.", { operation: route.operation.name, error });
      response.destroy();
    });
  };
}

/** Serves the pages alone. */
export function createPageHandler({ pages, sender, pacer, log }: PageParts): HttpHandler {
  return (request, response) => {
    const path = pages.find(request);
    const go = () => {
      if (path === undefined) return sender.send(response, unknownPath);
      pages.send(path, response).then(
        (sent) => sent || sender.send(response, unknownPath),
        (error: unknown) => {
          log.error("http.page_failed", "A page could not be served.", { error });
          response.destroy();
        },
      );
    };
    pacer.run(request, go, { bytes: path === undefined ? 0 : pages.bytesOf(path) });
  };
}
