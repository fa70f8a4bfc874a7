/**
 * Access token (service 73): cached until shortly before it expires, renewed once for all calls that wait for it.
 */
import type { Clock } from "../clock.ts";
import type { Deadline } from "../exchange/deadline.ts";

/** The part of 73's response that the cache needs. */
export interface NewToken {
  readonly accessToken: string;
  /** Seconds from the moment of the request. */
  readonly lifetimeSeconds: number;
}

export interface AccessTokens {
  /** A valid token; rejects with the error of 73, or when the deadline passes. */
  get(deadline: Deadline): Promise<string>;
  /** Drops a token that the provider rejected; a newer one stays. */
  drop(accessToken: string): void;
}

/** So that no token expires in transit. */
const renewBeforeExpiryMs = 60_000;

export function createAccessTokens(clock: Clock, obtain: () => Promise<NewToken>): AccessTokens {
  let token: { readonly text: string; readonly renewAt: number } | undefined;
  let renewal: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const requestedAt = clock.now();
    const { accessToken, lifetimeSeconds } = await obtain();
    const lifetimeMs = lifetimeSeconds * 1_000;
    // A token shorter-lived than the margin would otherwise be renewed at every call.
    token = { text: accessToken, renewAt: requestedAt + lifetimeMs - Math.min(renewBeforeExpiryMs, lifetimeMs / 2) };
    return accessToken;
  }

  function share(): Promise<string> {
    if (renewal === undefined) {
      renewal = renew().finally(() => {
        renewal = undefined;
      });
      // No caller may be waiting any more when it fails.
      renewal.catch(() => undefined);
    }
    return renewal;
  }

  return {
    async get(deadline) {
      if (token !== undefined && clock.now() < token.renewAt) return token.text;
      return deadline.race(share());
    },
    drop(accessToken) {
      if (token?.text === accessToken) token = undefined;
    },
  };
}
