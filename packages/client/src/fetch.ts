/** The network as the client sees it: the one seam to inject (a test's function, a proxy, another HTTP library). */

/** What the client asks for. `redirect` is manual because a redirected call would carry its signature elsewhere. */
export interface FetchRequest {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  /** Exactly the bytes that were signed. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** What the client needs of an answer. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The global `fetch` fits; so does a small adapter around anything else. It must not retry by itself. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
