/** Options of a single call. */
import { headerNames } from "@titian/contract";
import { checkTimeout } from "../options.ts";
import type { Signal } from "../platform.ts";

/** For every call. */
export interface SendOptions {
  /** Time-out of this call in milliseconds, including its token. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the call. The outcome of a write already sent is then unknown, as after a time-out. */
  readonly signal?: Signal | undefined;
  /** Token of service 74, sent as `Authorization-Customer`. */
  readonly customerToken?: string | undefined;
  /** Further headers: `ORIGIN`, `X-DEVICE-ID`, `X-IP-ADDRESS`, `X-LATITUDE`, `X-LONGITUDE`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** For calls that carry an external id. */
export interface CallOptions extends SendOptions {
  /**
   * `X-EXTERNAL-ID`, the idempotency key of a write: 1 to 36 letters, digits, `-`, `_`, `.`. Default: a new one. A write
   * with an id of yours may have been sent before, so a rejection before processing is not final for it; use `prepare`
   * and `send` to avoid that.
   */
  readonly externalId?: string | undefined;
}

/** Headers that the client sets itself, and those of the connection. */
const reservedHeaders: ReadonlySet<string> = new Set(
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

/** Throws a TypeError before anything is sent: an error from `fetch` would look like an unknown outcome. */
export function checkSendOptions({ timeoutMs, customerToken, headers = {} }: SendOptions): void {
  if (timeoutMs !== undefined) checkTimeout("timeoutMs", timeoutMs);
  if (customerToken !== undefined && !/^[\x21-\x7e]+$/.test(customerToken)) {
    throw new TypeError("customerToken must be the accessToken of service 74, without 'Bearer '");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (reservedHeaders.has(name.toLowerCase())) throw new TypeError(`the header ${name} is set by the client`);
    if (!/^[\w-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)) {
      throw new TypeError(`the header ${name} must have a plain name and a value of visible ASCII`);
    }
  }
}
