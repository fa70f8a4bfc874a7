/** Common parts of the receiver of notifications and the token endpoint: options, routing, and the observer. */
import { headerNames, responseCode } from "@titian/contract";
import type { Clock } from "../clock.ts";
import { checkTimeout } from "../options.ts";
import type { HandleIncoming, Incoming } from "./http/incoming.ts";
import { isRejection, type ObserveRejection, type RequestRejection, reject } from "./rejection.ts";
import { type Reply, rejectionReply } from "./http/reply.ts";

export interface EndpointOptions {
  /** Default: `Date`. */
  readonly clock?: Clock | undefined;
  /** Largest distance of `X-TIMESTAMP` from now, both ways, in milliseconds. Default 300,000. */
  readonly timestampWindowMs?: number | undefined;
  /** Time limit of a body in milliseconds. Default 10,000. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Called with every request that is not accepted, and why; for your log. What it throws is ignored. */
  readonly onRejected?: ObserveRejection | undefined;
}

export interface EndpointSettings {
  readonly clock: Clock;
  readonly timestampWindowMs: number;
  readonly bodyTimeoutMs: number;
  readonly onRejected: ObserveRejection | undefined;
}

export function readEndpointOptions(options: EndpointOptions): EndpointSettings {
  return {
    clock: options.clock ?? Date,
    timestampWindowMs: checkTimeout("timestampWindowMs", options.timestampWindowMs ?? 300_000),
    bodyTimeoutMs: checkTimeout("bodyTimeoutMs", options.bodyTimeoutMs ?? 10_000),
    onRejected: options.onRejected,
  };
}

/** Tells the observer of a rejection. */
export type Observe = (rejection: RequestRejection) => void;

export interface Route {
  readonly row: { readonly code: string; readonly path: string };
  readonly handle: (incoming: Incoming, observe: Observe) => Promise<Reply | RequestRejection>;
}

/** The endpoint of some routes, behind whatever path stands before theirs. */
export function routed(routes: readonly Route[], { clock, onRejected }: EndpointSettings): HandleIncoming {
  return async (incoming) => {
    const route = findRoute(routes, incoming.target);
    const serviceCode = route?.row.code;
    const observe = (rejection: RequestRejection) => tell(onRejected, rejection, serviceCode, incoming);
    const outcome = await handle(route, incoming, observe);
    if (!isRejection(outcome)) return outcome;
    observe(outcome);
    return rejectionReply(clock.now(), outcome, serviceCode);
  };
}

function findRoute(routes: readonly Route[], target: string): Route | undefined {
  const [path = ""] = target.split("?", 1);
  return routes.find(({ row }) => path.endsWith(`/${row.path}`));
}

async function handle(
  route: Route | undefined,
  incoming: Incoming,
  observe: Observe,
): Promise<Reply | RequestRejection> {
  if (route === undefined) {
    return reject("path", "invalidTransactionStatus", "No path of ours, or a notification without a handler.");
  }
  if (incoming.method !== "POST") return reject("path", "notSupported", `The method is ${incoming.method}, not POST.`);
  try {
    return await route.handle(incoming, observe);
  } catch (error) {
    return reject("handler", "generalError", "A function of the options failed.", { error });
  }
}

function tell(
  onRejected: ObserveRejection | undefined,
  rejection: RequestRejection,
  serviceCode: string | undefined,
  { headers }: Incoming,
): void {
  const externalId = headers[headerNames.externalId.toLowerCase()];
  try {
    onRejected?.({
      ...rejection,
      serviceCode,
      responseCode: responseCode(rejection.caseName, serviceCode ?? "00"),
      externalId: typeof externalId === "string" ? externalId : undefined,
    });
  } catch {
    // An observer changes nothing.
  }
}
