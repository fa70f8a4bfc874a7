/** Posts to partners' systems: bounded in time and in what is read of a reply, without redirects. */
import { Agent, request } from "undici";
import { tlsVersion } from "../basics/tls.ts";
import type { AddressGuard } from "./address-guard.ts";

export interface PostReply {
  readonly status: number;
  /** At most `replyBytesMax`. */
  readonly body: Buffer;
}

export interface HttpClient {
  /** Time limit of a whole exchange (ms). */
  readonly timeoutMs: number;
  /**
   * `withinMs`: less than the time-out, where less is left of an attempt.
   * @throws when there is no whole reply in time, or the address is not permitted.
   */
  post(url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array, withinMs?: number): Promise<PostReply>;
  close(): Promise<void>;
}

export interface HttpClientOptions {
  readonly guard: AddressGuard;
  /** Time limit of a whole exchange (ms). */
  readonly timeoutMs: number;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string | undefined;
  /** Concurrent requests to one origin. */
  readonly connections: number;
}

const connectTimeoutMs = 2_000;
/** More is no envelope. */
const replyBytesMax = 65_536;

export function createHttpClient({ guard, timeoutMs, ca, connections }: HttpClientOptions): HttpClient {
  const agent = new Agent({
    connect: {
      lookup: guard.lookup,
      timeout: Math.min(connectTimeoutMs, timeoutMs),
      ...tlsVersion,
      ...(ca !== undefined && { ca }),
    },
    connections,
    pipelining: 1,
    maxResponseSize: replyBytesMax,
  });
  return {
    timeoutMs,
    post: async (url, headers, body, withinMs = timeoutMs) => {
      guard.check(url);
      if (withinMs <= 0) throw new DOMException("no time was left for the post", "TimeoutError");
      const signal = AbortSignal.timeout(Math.min(withinMs, timeoutMs));
      const reply = await request(url, { method: "POST", headers: { ...headers }, body, dispatcher: agent, signal });
      return { status: reply.statusCode, body: Buffer.from(await reply.body.arrayBuffer()) };
    },
    close: () => agent.destroy(),
  };
}
