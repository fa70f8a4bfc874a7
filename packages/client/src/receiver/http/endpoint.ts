/** An endpoint that a partner mounts: one answer, reached through the Fetch API and through `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFetch } from "./fetch-adapter.ts";
import { answerNode } from "./node-adapter.ts";
import type { Answer } from "./incoming.ts";

/** For frameworks with the Fetch API, call it with the request; for `node:http` and those built on it, use `nodeListener`. */
export interface Endpoint {
  (request: Request): Promise<Response>;
  /** Reads the body itself: nothing before it may have read it, unless `rawBody` or `body` has the bytes as sent. */
  readonly nodeListener: (request: IncomingMessage, response: ServerResponse) => void;
}

export function createEndpoint(answer: Answer): Endpoint {
  return Object.assign((request: Request) => answerFetch(answer, request), {
    nodeListener(request: IncomingMessage, response: ServerResponse): void {
      void answerNode(answer, request, response);
    },
  });
}
