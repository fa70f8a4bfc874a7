/** What may be said about a single call. */
import { headerNames } from "@titian/contract";
import { checkTimeout } from "./options.ts";

/** For every call. */
export interface SendOptions {
  /** Longest time of this call in milliseconds, its token included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call early. A write that was under way is then as unknown as after a time-out. */
  readonly signal?: AbortSignal | undefined;
  /** Token of service 74, sent as `Authorization-Customer`. */
  readonly customerToken?: string | undefined;
  /** Further headers: `ORIGIN`, `X-DEVICE-ID`, `X-IP-ADDRESS`, `X-LATITUDE`, `X-LONGITUDE`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** For calls that carry an external id. */
export interface CallOptions extends SendOptions {
  /**
   * `X-EXTERNAL-ID`, the idempotency key of a write: 1 to 36 letters, digits, `-`, `_`, `.`. Default: a new one. A write with an id of yours counts as
   * one that may have been sent before, so a refusal at the door leaves it open; `prepare` and `send` know better.
   */
  readonly externalId?: string | undefined;
}

/** Names the client writes itself, and those that steer the connection. */
const ownHeaders: ReadonlySet<string> = new Set(
  [
    headerNames.contentType,
    headerNames.authorization,
    headerNames.authorizationCustomer,
    headerNames.timestamp,
    headerNames.signature,
    headerNames.clientKey,
    headerNames.partnerId,
    headerNames.externalId,
    headerNames.channelId,
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "transfer-encoding",
    "upgrade",
  ].map((name) => name.toLowerCase()),
);

/** Throws a TypeError for what cannot be sent: a fault found by `fetch` would look like an unknown outcome. */
export function checkSendOptions({ timeoutMs, customerToken, headers = {} }: SendOptions): void {
  if (timeoutMs !== undefined) checkTimeout(timeoutMs);
  if (customerToken !== undefined && !/^[\x21-\x7e]+$/.test(customerToken)) {
    throw new TypeError("customerToken must be the accessToken of service 74, without 'Bearer '");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.has(name.toLowerCase())) throw new TypeError(`the header ${name} is written by the client`);
    if (!/^[\w-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)) {
      throw new TypeError(`the header ${name} must have a plain name and a value of visible ASCII`);
    }
  }
}
