/** A `fetch` that records what was sent and returns the response of the test. It has no rules of a provider. */
import type { Fetch, FetchRequest } from "../../src/index.ts";

export interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

type Respond = (sent: Sent, count: number) => Response | Promise<Response>;

export interface Recording {
  readonly fetch: Fetch;
  /** Token calls. */
  readonly tokenCalls: readonly Sent[];
  /** All other calls. */
  readonly calls: readonly Sent[];
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

/** 73's response with the tokens `token-1`, `token-2`… */
export const newToken: Respond = (_sent, count) =>
  json(200, {
    responseCode: "2007300",
    responseMessage: "Successful",
    accessToken: `token-${count}`,
    tokenType: "Bearer",
    expiresIn: "900",
  });

/** `respond` and `respondToken` get the number of calls of their kind so far. */
export function recordingFetch(respond: Respond, respondToken: Respond = newToken): Recording {
  const tokenCalls: Sent[] = [];
  const calls: Sent[] = [];
  const toSent = (url: string, { headers, body, signal }: FetchRequest): Sent => ({
    path: new URL(url).pathname,
    headers,
    body: new TextDecoder().decode(body),
    bytes: body,
    signal,
  });
  return {
    tokenCalls,
    calls,
    async fetch(url, request) {
      const sent = toSent(url, request);
      const isTokenCall = sent.path.endsWith("/access-token/b2b");
      const list = isTokenCall ? tokenCalls : calls;
      list.push(sent);
      return (isTokenCall ? respondToken : respond)(sent, list.length);
    },
  };
}
