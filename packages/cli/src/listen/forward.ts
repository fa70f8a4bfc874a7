/**
 * Forwards what arrives to the developer's own program: the same path, headers and bytes, so that it verifies there as if the
 * service had sent it. The program's reply goes back unchanged.
 */
import { Agent } from "undici";
import { type Answer, badGateway, type Incoming, type Reply } from "./incoming.ts";

/** The sender reads no more of a reply. */
const replyBytesMax = 65_536;
const connectTimeoutMs = 2_000;
/** The sender waits for 2 s, unless a setting of the sandbox says longer: at most 60 s. */
const timeoutMs = 65_000;

/** These are about one connection (RFC 9110, 7.6.1). The length is that of the same bytes, the host that of the target. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "content-length",
]);

export function createForwarder(origin: string): Answer {
  // A connection for each: one that was kept open would be a dead one after the program was started again.
  const agent = new Agent({ pipelining: 0, connect: { timeout: connectTimeoutMs }, maxResponseSize: replyBytesMax });
  return (incoming) =>
    forward(agent, origin, incoming).catch((error: unknown) => badGateway(explain(error, origin, incoming)));
}

async function forward(agent: Agent, origin: string, incoming: Incoming): Promise<Reply> {
  const { target, rawHeaders, body, signal } = incoming;
  const {
    statusCode,
    headers,
    body: reply,
  } = await agent.request({
    origin,
    path: target,
    method: "POST",
    headers: endToEnd(rawHeaders, "host"),
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    responseHeaders: "raw",
  });
  const raw: readonly unknown[] = Array.isArray(headers) ? headers : [];
  return { status: statusCode, headers: endToEnd(raw.map(String)), body: new Uint8Array(await reply.arrayBuffer()) };
}

/** Without the headers of a connection, those that it names itself, and the given one. */
function endToEnd(raw: readonly string[], besides?: string): string[] {
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);
  const named = pairs
    .filter(([name = ""]) => name.toLowerCase() === "connection")
    .flatMap(([, value = ""]) => value.split(",").map((text) => text.trim().toLowerCase()));
  const dropped = new Set([...ofConnection, ...named, besides]);
  return pairs.filter(([name = ""]) => !dropped.has(name.toLowerCase())).flat();
}

const reasons: Readonly<Record<string, (origin: string) => string>> = {
  ECONNREFUSED: (origin) => `nothing listens at ${origin}: is your program running?`,
  ENOTFOUND: (origin) => `the host of ${origin} is unknown`,
  UND_ERR_CONNECT_TIMEOUT: (origin) => `${origin} accepts no connection`,
  UND_ERR_SOCKET: (origin) => `${origin} closed the connection without a reply`,
  ECONNRESET: (origin) => `${origin} closed the connection without a reply`,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: (origin) =>
    `the reply of ${origin} is larger than ${replyBytesMax} bytes, and the sender reads no more`,
};

function explain(error: unknown, origin: string, { signal }: Incoming): string {
  if (signal.aborted) return `${origin} has not replied before the sender stopped waiting`;
  // The first error of several addresses that reject a connection counts.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && "code" in first && typeof first.code === "string" ? first.code : "";
  const message = first instanceof Error ? first.message : String(first);
  return reasons[code]?.(origin) ?? `${origin}: ${message}`;
}
