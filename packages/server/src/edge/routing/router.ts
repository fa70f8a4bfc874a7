/** Routes a request: to an operation (the direct path), else a page, else Fastify. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { newCorrelationId } from "../../basics/ids.ts";
import type { Log } from "../../observability/log.ts";
import type { Clock } from "../../basics/clock.ts";
import { missingHost, unknownPath } from "../responses/bare-envelope.ts";
import type { HttpHandler } from "../connections/connection.ts";
import type { Pacer } from "../connections/pacer.ts";
import type { Pages } from "../pages/pages.ts";
import type { ReferencePages } from "../pages/reference-pages.ts";
import { arrivalNow, type Exchange } from "../http-exchange.ts";
import type { Responder } from "../responses/respond-to-call.ts";
import { findRoute, type Routes, targetOf } from "./routes.ts";
import { awaitsContinue, type RequestHandler } from "./handle-request.ts";

export interface RouterParts extends PageParts {
  readonly routes: Routes;
  readonly handleRequest: RequestHandler;
  /** True: the pages are served here; they may have a listener of their own. */
  readonly servesPages: boolean;
}

interface PageParts {
  readonly clock: Clock;
  readonly responder: Responder;
  readonly pages: Pages;
  readonly reference: ReferencePages;
  readonly pacer: Pacer;
  readonly log: Log;
  /** Takes requests for no page. */
  readonly others: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Exchange of a request for no operation. */
export function bareExchange(request: IncomingMessage, response: ServerResponse, clock: Clock): Exchange {
  return { route: undefined, request, response, arrival: arrivalNow(clock) };
}

export function createRouter(parts: RouterParts): HttpHandler {
  const { routes, handleRequest, responder, pages, reference, servesPages, log, clock } = parts;
  const sendPage = createPageHandler(parts);
  return (request, response, connection) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return responder.inTurn(bareExchange(request, response, clock), missingHost);
    }
    const route = findRoute(routes, targetOf(request));
    if (route === undefined) {
      const isPage = servesPages && (pages.find(request) ?? reference.find(request)) !== undefined;
      return isPage ? sendPage(request, response, connection) : passOn(parts, request, response);
    }
    handleRequest(route, request, response, connection).catch((error: unknown) => {
      // Only sending can fail here: nobody is left to respond to.
      log.error("http.response_failed", "A response could not be sent.", { operation: route.operation.name, error });
      response.destroy();
    });
  };
}

function passOn({ others }: PageParts, request: IncomingMessage, response: ServerResponse): void {
  if (awaitsContinue(request)) response.writeContinue();
  others(request, response);
}

/** Serves the pages, and passes on what is for none. */
export function createPageHandler(parts: PageParts): HttpHandler {
  const { clock, pages, reference, responder, pacer, log } = parts;
  return (request, response) => {
    const correlationId = newCorrelationId();
    const run = (send: () => Promise<unknown>, bytes: number) => {
      const fail = (error: unknown) => {
        log.error("http.page_failed", "A page could not be served.", { correlationId, error });
        response.destroy();
      };
      pacer.run(request, () => void send().catch(fail), { bytes });
    };
    const key = reference.find(request);
    if (key !== undefined) {
      return run(() => reference.send(key, request, response, correlationId), reference.bytesOf(key));
    }
    const asked = pages.find(request);
    if (asked === undefined) return passOn(parts, request, response);
    const send = async () => {
      const isSent = await pages.send(asked, response, correlationId);
      if (!isSent) responder.atOnce(bareExchange(request, response, clock), unknownPath);
    };
    run(send, pages.bytesOf(asked));
  };
}
