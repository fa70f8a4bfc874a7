/** Posts to partners' systems: bounded in time and in what is read of a reply, without redirects. */
import { Agent, request } from "undici";
import type { AddressGuard } from "./address-guard.ts";

export interface PostReply {
  readonly status: number;
  /** At most `replyBytesMax`. */
  readonly body: Buffer;
}

export interface HttpClient {
  /** @throws when there is no whole reply in time, or the address is not permitted. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<PostReply>;
  close(): Promise<void>;
}

export interface HttpClientOptions {
  readonly guard: AddressGuard;
  /** Of a whole exchange (ms). */
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
      ...(ca !== undefined && { ca }),
    },
    connections,
    pipelining: 1,
    maxResponseSize: replyBytesMax,
  });
  return {
    post: async (url, headers, body) => {
      guard.check(url);
      const signal = AbortSignal.timeout(timeoutMs);
      const reply = await request(url, { method: "POST", headers: { ...headers }, body, dispatcher: agent, signal });
      return { status: reply.statusCode, body: Buffer.from(await reply.body.arrayBuffer()) };
    },
    close: () => agent.destroy(),
  };
}
