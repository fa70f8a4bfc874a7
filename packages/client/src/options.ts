/** Options of a client, as given and as validated. Invalid options throw a TypeError at creation, not at the first call. */
import { headerPatterns } from "@titian/contract";
import type { Clock } from "./clock.ts";
import { type Credentials, type CredentialKeys, readCredentials } from "./tokens/credentials.ts";
import type { ObserveExchange } from "./exchange/exchange-record.ts";
import { newExternalId } from "./external-id.ts";
import type { Fetch } from "./exchange/fetch.ts";

/** Key of the option that permits plain `http:` to another machine. A symbol, so that no settings file can set it. */
export const allowInsecureHttp: unique symbol = Symbol("allowInsecureHttp");

export interface ClientOptions {
  /** Origin of the provider: `https://api.bank.example`. Plain `http:` only to this machine, for the sandbox. */
  readonly baseUrl: string;
  /** Path before the version: `/snap`. Default empty. */
  readonly pathPrefix?: string | undefined;
  /** Default `v1.0`. */
  readonly version?: string | undefined;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** `CHANNEL-ID`, up to 5 characters. */
  readonly channelId: string;
  /** `X-CLIENT-KEY` of the token calls. */
  readonly clientKey: string;
  readonly credentials: Credentials;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Default: `Date`. */
  readonly clock?: Clock | undefined;
  /** Time-out of a call in milliseconds, including its token. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: 32 digits, unique. */
  readonly newExternalId?: (() => string) | undefined;
  /** Called after every request with the response, secrets masked. What it throws is ignored. */
  readonly onExchange?: ObserveExchange | undefined;
  /** Permits plain `http:` to another machine, such as a sandbox in a container. Never for real money. */
  readonly [allowInsecureHttp]?: boolean | undefined;
}

export interface Settings {
  /** `https://api.bank.example`, no slash at the end. */
  readonly origin: string;
  /** `/snap/v1.0`, no slash at the end. */
  readonly basePath: string;
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly keys: CredentialKeys;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly newExternalId: () => string;
  readonly onExchange: ObserveExchange | undefined;
}

const defaultTimeoutMs = 30_000;
/** A longer time overflows the system's timer, which then fires at once. */
const maxTimeoutMs = 2 ** 31 - 1;

export function readOptions(options: ClientOptions): Settings {
  const clock = options.clock ?? Date;
  const prefix = matching("pathPrefix", options.pathPrefix ?? "", /^(?:\/[\w~-][\w.~-]*)*$/, "empty or like /snap");
  const version = matching("version", options.version ?? "v1.0", /^[\w~-][\w.~-]*$/, "like v1.0");
  return {
    origin: readOrigin(options.baseUrl, options[allowInsecureHttp] === true),
    basePath: `${prefix}/${version}`,
    partnerId: matching("partnerId", options.partnerId, headerPatterns.partnerId, "1 to 36 visible characters"),
    channelId: matching("channelId", options.channelId, headerPatterns.channelId, "1 to 36 visible characters"),
    clientKey: matching("clientKey", options.clientKey, headerPatterns.clientKey, "1 to 128 visible characters"),
    keys: readCredentials(options.credentials),
    fetch: options.fetch ?? ((url, request) => globalThis.fetch(url, request)),
    clock,
    timeoutMs: checkTimeout("timeoutMs", options.timeoutMs ?? defaultTimeoutMs),
    newExternalId: options.newExternalId ?? (() => newExternalId(clock)),
    onExchange: options.onExchange,
  };
}

export function checkTimeout(name: string, timeoutMs: number): number {
  if (Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= maxTimeoutMs) return timeoutMs;
  throw new TypeError(`${name} must be a whole number of milliseconds from 1 to ${maxTimeoutMs}`);
}

function matching(name: string, value: string, pattern: RegExp, form: string): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw new TypeError(`${name} must be ${form}`);
}

function readOrigin(baseUrl: string, isHttpAllowed: boolean): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new TypeError("baseUrl must be the provider's origin, like https://api.bank.example");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new TypeError("baseUrl must be an origin only; put a path before the version into pathPrefix");
  }
  if (url.protocol === "http:" && !isHttpAllowed && !isThisMachine(url.hostname)) {
    throw new TypeError("baseUrl must be https:; for a sandbox on another machine set [allowInsecureHttp]: true");
  }
  return url.origin;
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
