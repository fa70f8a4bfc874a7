/** Posts to partners' systems: bounded in time and in what is read of a reply, without redirects. */
import { LRUCache } from "lru-cache";
import { type Dispatcher, request } from "undici";
import type { NotificationLine } from "../interfaces/notifications.ts";
import { type AddressGuard, ForbiddenAddress } from "./address-guard.ts";
import { type ConnectionOptions, createPartnerDispatcher } from "./partner-dispatcher.ts";

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

export interface HttpClientOptions extends ConnectionOptions {
  readonly guard: AddressGuard;
  /** Called before the first post to a partner for which TLS 1.2 is permitted. */
  readonly onTls12?: ((partnerId: string) => void) | undefined;
}

/** Partners with conditions of their own whose connections are kept at once. */
const linesMax = 1_000;

interface Line {
  readonly guard: AddressGuard;
  readonly dispatcher: Dispatcher;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs } = options;
  const { lineOf, close } = createLines(options);
  return {
    timeoutMs,
    post: async (url, headers, body, conditions, withinMs = timeoutMs) => {
      const { guard, dispatcher } = lineOf(conditions);
      guard.check(url);
      if (withinMs <= 0) throw new DOMException("no time was left for the post", "TimeoutError");
      const signal = AbortSignal.timeout(Math.min(withinMs, timeoutMs));
      if (options.proxy?.resolvesNames === true) await checkName(guard, url);
      const reply = await request(url, { method: "POST", headers: { ...headers }, body, dispatcher, signal });
      return { status: reply.statusCode, body: Buffer.from(await reply.body.arrayBuffer()) };
    },
    close,
  };
}

function createLines(options: HttpClientOptions) {
  const { guard, onTls12 } = options;
  const usual: Line = { guard, dispatcher: createPartnerDispatcher(options, guard) };
  // A connection that was opened under other conditions is not used again once a partner's have changed.
  const lines = new LRUCache<string, Line>({
    max: linesMax,
    dispose: ({ dispatcher }) => void dispatcher.close(),
  });
  const lineOf = ({ partnerId, networks, tlsMin }: NotificationLine): Line => {
    if (networks === undefined && tlsMin === undefined) return usual;
    const key = JSON.stringify([partnerId, networks, tlsMin]);
    const known = lines.get(key);
    if (known) return known;
    if (tlsMin !== undefined) onTls12?.(partnerId);
    const permitting = guard.permitting(networks ?? []);
    const line = { guard: permitting, dispatcher: createPartnerDispatcher(options, permitting, tlsMin) };
    lines.set(key, line);
    return line;
  };
  const close = async () => {
    await Promise.all([usual, ...lines.values()].map(({ dispatcher }) => dispatcher.destroy()));
  };
  return { lineOf, close };
}

/**
 * The proxy resolves the name. What it resolves to here is judged; a name that does not resolve here, as where a network lets
 * the proxy alone out, is the proxy's to judge.
 */
async function checkName(guard: AddressGuard, url: URL): Promise<void> {
  try {
    await guard.resolve(url);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw error;
  }
}
