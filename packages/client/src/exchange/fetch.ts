/** The injectable network interface: for tests, proxies, other HTTP libraries. */

import type { Signal } from "../platform.ts";

/** `redirect` is manual because a redirected call would send its signature to another server. */
export interface FetchRequest {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  /** Exactly the bytes that were signed. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly redirect: "manual";
  readonly signal: Signal;
}

/** The part of a response that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The global `fetch`, or an adapter around another library. It must not retry by itself. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
