/** Posts to partners' systems: bounded in time and in what is read of a reply, without redirects. */
import { LRUCache } from "lru-cache";
import { Agent, type Dispatcher, request } from "undici";
import { tlsVersion } from "../basics/tls.ts";
import type { NotificationLine } from "../interfaces/notifications.ts";
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
   * `line`: conditions of connections to this partner. `withinMs`: less than the time-out, where less is left of an attempt.
   * @throws when there is no whole reply in time, or the address is not permitted.
   */
  post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    line: NotificationLine,
    withinMs?: number,
  ): Promise<PostReply>;
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

/** Partners with conditions of their own whose connections are kept at once. */
const linesMax = 1_000;

interface Line {
  readonly guard: AddressGuard;
  readonly dispatcher: Dispatcher;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { guard, timeoutMs } = options;
  const usual: Line = { guard, dispatcher: createAgent(options, guard) };
  // A connection that was opened under other conditions is not used again once a partner's have changed.
  const lines = new LRUCache<string, Line>({
    max: linesMax,
    dispose: ({ dispatcher }) => void dispatcher.close(),
  });
  const lineOf = ({ partnerId, networks }: NotificationLine): Line => {
    if (networks === undefined) return usual;
    const key = JSON.stringify([partnerId, networks]);
    const known = lines.get(key);
    if (known) return known;
    const permitting = guard.permitting(networks);
    const line = { guard: permitting, dispatcher: createAgent(options, permitting) };
    lines.set(key, line);
    return line;
  };
  return {
    timeoutMs,
    post: async (url, headers, body, conditions, withinMs = timeoutMs) => {
      const line = lineOf(conditions);
      line.guard.check(url);
      if (withinMs <= 0) throw new DOMException("no time was left for the post", "TimeoutError");
      const signal = AbortSignal.timeout(Math.min(withinMs, timeoutMs));
      const { dispatcher } = line;
      const reply = await request(url, { method: "POST", headers: { ...headers }, body, dispatcher, signal });
      return { status: reply.statusCode, body: Buffer.from(await reply.body.arrayBuffer()) };
    },
    close: async () => {
      await Promise.all([usual, ...lines.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

function createAgent({ timeoutMs, ca, connections }: HttpClientOptions, { lookup }: AddressGuard): Agent {
  return new Agent({
    connect: {
      lookup,
      timeout: Math.min(connectTimeoutMs, timeoutMs),
      ...tlsVersion,
      ...(ca !== undefined && { ca }),
    },
    connections,
    pipelining: 1,
    maxResponseSize: replyBytesMax,
  });
}
