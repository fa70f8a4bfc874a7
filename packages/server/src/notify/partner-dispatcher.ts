/** Connections to partners' systems: direct ones, and those through a proxy. */
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import { type TlsFiles, tlsVersion, tlsWith12 } from "../basics/tls.ts";
import type { NotificationLine, NotificationProxy } from "../interfaces/notifications.ts";
import type { AddressGuard } from "./address-guard.ts";

export interface ConnectionOptions {
  /** Time limit of a whole exchange (ms). */
  readonly timeoutMs: number;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string | undefined;
  /** Certificate that partners' systems which ask for one are shown. */
  readonly tls?: TlsFiles | undefined;
  /** The proxy through which all posts go. */
  readonly proxy?: NotificationProxy | undefined;
  /** Concurrent requests to one origin. */
  readonly connections: number;
}

const connectTimeoutMs = 2_000;
/** More is no envelope. */
const replyBytesMax = 65_536;

export function createPartnerDispatcher(
  { timeoutMs, ca, tls, proxy, connections }: ConnectionOptions,
  guard: AddressGuard,
  tlsMin?: NotificationLine["tlsMin"],
): Dispatcher {
  const common = { timeout: Math.min(connectTimeoutMs, timeoutMs), ...(ca !== undefined && { ca }) };
  const toPartner = { ...common, ...(tlsMin === "1.2" ? tlsWith12 : tlsVersion), ...tls };
  const limits = { connections, pipelining: 1, maxResponseSize: replyBytesMax };
  if (proxy === undefined) return new Agent({ ...limits, connect: { lookup: guard.lookup, ...toPartner } });
  const clientFactory = (origin: URL, options: object) => {
    const pool = new Pool(origin, options);
    return proxy.resolvesNames ? pool : pool.compose(toJudgedAddress(guard));
  };
  return new ProxyAgent({
    ...limits,
    uri: proxy.url,
    proxyTunnel: true,
    requestTls: toPartner,
    proxyTls: { ...common, ...tlsVersion },
    clientFactory,
  });
}

/** A tunnel leads to an address that was judged, under whose name TLS verifies the partner; the proxy looks nothing up. */
function toJudgedAddress(guard: AddressGuard): Dispatcher.DispatcherComposeInterceptor {
  let turn = 0;
  return (dispatch) => (options, handler) => {
    if (options.method !== "CONNECT") return dispatch(options, handler);
    const headers = options.headers as Record<string, string>;
    addressOf(guard, options.path, (turn += 1))
      .then((authority) => dispatch({ ...options, path: authority, headers: { ...headers, host: authority } }, handler))
      // No request has begun that a controller could abort.
      .catch((error: Error) => handler.onResponseError?.(undefined as never, error));
    return true;
  };
}

/**
 * `authority`: host and port. An IPv4 address is preferred, since a proxy need not have a way to IPv6; of several they
 * take turns, so that the attempts of a notification do not all meet the one that is down.
 */
async function addressOf(guard: AddressGuard, authority: string, turn: number): Promise<string> {
  const url = new URL(`https://${authority}`);
  const found = await guard.resolve(url);
  const preferred = found.filter((each) => each.family === 4);
  const among = preferred.length > 0 ? preferred : found;
  const { address = "", family } = among[turn % among.length] ?? {};
  return `${family === 6 ? `[${address}]` : address}:${url.port || "443"}`;
}
