/** An endpoint that a partner mounts: one handler, reached through the Fetch API and through `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FetchApiRequest, FetchApiResponse, NodeRequest, NodeResponse } from "../../platform.ts";
import { handleFetchRequest } from "./fetch-adapter.ts";
import { handleNodeRequest } from "./node-adapter.ts";
import type { HandleIncoming } from "./incoming.ts";

/** For frameworks with the Fetch API, call it with the request; for `node:http` and those built on it, use `nodeListener`. */
export interface Endpoint {
  (request: FetchApiRequest): Promise<FetchApiResponse>;
  /** Reads the body itself: nothing before it may have read it, unless `rawBody` or `body` has the bytes as sent. */
  readonly nodeListener: (request: NodeRequest, response: NodeResponse) => void;
}

export function createEndpoint(handle: HandleIncoming): Endpoint {
  return Object.assign((request: Request) => handleFetchRequest(handle, request), {
    nodeListener(request: NodeRequest, response: NodeResponse): void {
      void handleNodeRequest(handle, request as IncomingMessage, response as ServerResponse);
    },
  });
}
