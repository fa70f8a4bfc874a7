/** Rejects requests under a host name that is not ours: a page of another site can have its own lead to this machine. */
import { createServedHosts } from "../../basics/host-names.ts";
import { newCorrelationId } from "../../basics/ids.ts";
import type { HttpHandler } from "../connections/connection.ts";
import type { Pacer } from "../connections/pacer.ts";
import { bareResponse, unservedHost } from "../responses/bare-envelope.ts";
import type { ResponseSender } from "../responses/response-sender.ts";

interface ServedHostParts {
  readonly pacer: Pacer;
  readonly sender: ResponseSender;
}

/**
 * `names` beside addresses and loopback names. A request without Host comes from no browser. One that is rejected is no
 * call of a partner, and no observer is told.
 */
export function onlyServedHosts(
  handle: HttpHandler,
  names: readonly string[],
  { pacer, sender }: ServedHostParts,
): HttpHandler {
  const isServed = createServedHosts(names);
  return (request, response, connection) => {
    const { host } = request.headers;
    if (host === undefined || isServed(host)) return handle(request, response, connection);
    pacer.run(request, () => sender.send(response, bareResponse(unservedHost), newCorrelationId()));
  };
}
