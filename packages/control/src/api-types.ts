/**
 * What the console's pages send and read, besides the calls of docs/guides/sandbox.md that are older. Types only: the
 * pages import them as types. Amounts are decimal texts such as "1500000.00"; times are ISO 8601 with +07:00, of
 * business time; an absent value is left out. `next` is null on the last page; else it is the `before` (accounts:
 * `after`) of the next one.
 *
 * A page authenticates by the cookie of `POST /sandbox/session`. Each of its calls carries `X-Titian-Console: 1`, also
 * that for the stream. 401: get a session. A call that was rejected is answered `{error: {code, message, field?}}`.
 */
export type * from "./api-find.ts";
export type * from "./api-lists.ts";
export type * from "./api-sign.ts";
export type * from "./calls/call-views.ts";

/** `POST /sandbox/session`: sets the cookie. Without a token only from this machine, by the user who runs the sandbox. */
export interface SessionRequest {
  /** `controlToken` of sandbox.json. */
  readonly controlToken?: string | undefined;
}
export interface SessionAnswer {
  /** Real time. */
  readonly expiresAt: string;
}
/** It is answered 401 `tokenRequired`: ask the person for the token; 401 `wrongToken`; 403 `notSameOrigin`. */
