/** The receiver of a provider's notifications (21, 75, 76), which a partner mounts in its own system (spec D14). */
import { headerPatterns } from "@titian/contract";
import { checkTimeout } from "../options.ts";
import { createEndpoint, type Endpoint } from "./http/endpoint.ts";
import { type EndpointOptions, readEndpointOptions, routed } from "./endpoint-options.ts";
import { createRoutes, type NotificationHandlers } from "./notification-routes.ts";
import type { NotificationStore } from "./notification-store.ts";
import type { IsOurs } from "./ownership.ts";
import { receive } from "./receive.ts";
import { type ReceiverKeys, readReceiverKeys } from "./receiver-keys.ts";

export interface ReceiverOptions extends EndpointOptions {
  /** Your partner id at the provider: `X-PARTNER-ID` and the signed `additionalInfo.partnerId` of every notification. */
  readonly partnerId: string;
  /**
   * `required` (default): a notification whose body has no `additionalInfo.partnerId` is rejected; the provider must set
   * the member itself, over what a request had there. `optional` is for providers that send none. Their key (mode 2) signs
   * for all their partners alike: another partner can forward its own notification to you, with a `partnerReferenceNo` of
   * yours, and it verifies. Use `isOurs` then. One that names another partner is rejected in any case.
   */
  readonly partnerIdInBody?: "required" | "optional" | undefined;
  /** Asked before the store and the handler. What it does not resolve to true for is rejected 404xx01, and sent again. */
  readonly isOurs?: IsOurs | undefined;
  readonly keys: ReceiverKeys;
  /** A notification without a handler is answered 404. */
  readonly on: NotificationHandlers;
  /** `createMemoryStore()` for tests; one in your database for money. */
  readonly store: NotificationStore;
  /**
   * From the path as received, query included, to the path as the provider sent and signed it. For a proxy in front that
   * removes a prefix: `(path) => "/bank" + path`.
   */
  readonly publicPath?: ((path: string) => string) | undefined;
  /** Time limit of a handler, of `isOurs`, and of each call of the store, in milliseconds. Default 10,000. */
  readonly handlerTimeoutMs?: number | undefined;
}

/**
 * Verifies each notification, rejects another partner's, hands each event to its handler once, and answers the envelope.
 * @throws TypeError for invalid options.
 */
export function createReceiver(options: ReceiverOptions): Endpoint {
  const { partnerId, partnerIdInBody = "required", isOurs, store, on } = options;
  const { publicPath = (path: string) => path } = options;
  if (typeof partnerId !== "string" || !headerPatterns.partnerId.test(partnerId)) {
    throw new TypeError("partnerId must be 1 to 36 visible characters");
  }
  const routes = createRoutes(on);
  if (routes.length === 0) throw new TypeError("on must have a handler: rtgs, skn or bulk");
  if (typeof store?.claim !== "function") {
    const earlier = "one with begin, done and failed is of an earlier version, see withEarlierKeys";
    throw new TypeError(`store must be a NotificationStore with claim, complete and release; ${earlier}`);
  }
  if (partnerIdInBody !== "required" && partnerIdInBody !== "optional") {
    throw new TypeError('partnerIdInBody must be "required" or "optional"');
  }
  if (isOurs !== undefined && typeof isOurs !== "function") throw new TypeError("isOurs must be a function");
  const endpoint = readEndpointOptions(options);
  const keys = readReceiverKeys(options.keys);
  const handlerTimeoutMs = checkTimeout("handlerTimeoutMs", options.handlerTimeoutMs ?? 10_000);
  const ownership = { partnerId, partnerIdInBody, isOurs, handlerTimeoutMs };
  const settings = { ...endpoint, ...ownership, keys, store, publicPath };
  return createEndpoint(
    routed(
      routes.map((route) => ({
        row: route.row,
        handle: (incoming, observe) => receive(route, incoming, settings, observe),
      })),
      endpoint,
    ),
  );
}
