/**
 * The token of service 73: kept until shortly before it expires, and obtained once however many calls wait for it.
 */
import type { Clock } from "./clock.ts";
import type { Deadline } from "./deadline.ts";

/** What 73 gives, as far as it matters here. */
export interface NewToken {
  readonly accessToken: string;
  /** Seconds, counted from before it was asked for. */
  readonly lifeSeconds: number;
}

export interface AccessTokens {
  /** A token that is good for a while; rejects with the fault of 73, or when the deadline ends the wait. */
  get(deadline: Deadline): Promise<string>;
  /** Forgets a token the provider no longer takes; one obtained since then stays. */
  drop(accessToken: string): void;
}

/** A token is renewed this long before its end, so that none expires on its way. */
const marginMs = 60_000;

export function createAccessTokens(clock: Clock, obtain: () => Promise<NewToken>): AccessTokens {
  let token: { readonly text: string; readonly renewAt: number } | undefined;
  let flight: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const askedAt = clock.now();
    const { accessToken, lifeSeconds } = await obtain();
    const lifeMs = lifeSeconds * 1_000;
    // A token shorter-lived than the margin would otherwise be renewed at every call.
    token = { text: accessToken, renewAt: askedAt + lifeMs - Math.min(marginMs, lifeMs / 2) };
    return accessToken;
  }

  function share(): Promise<string> {
    if (flight === undefined) {
      flight = renew().finally(() => {
        flight = undefined;
      });
      // Everyone who waited may have left by the time it fails.
      flight.catch(() => undefined);
    }
    return flight;
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
