/** Tokens that partners issue to us (their own 73), for notifications that are signed with their secret (spec D14, mode 1). */
import { formatTimestamp, headerNames, isObject, operations, stringToSign } from "@titian/contract";
import { LRUCache } from "lru-cache";
import type { NotificationEndpoint } from "../interfaces/notifications.ts";
import { notificationUrl } from "./notification-url.ts";
import type { HttpClient } from "./http-client.ts";

export interface PartnerToken {
  readonly value: string;
  /** True: it was issued before it was asked for here, and the partner may have revoked it since. */
  readonly isCached: boolean;
}

export interface PartnerTokens {
  /** One request at a time for each partner and address. @throws when its system issues none. */
  tokenOf(endpoint: NotificationEndpoint): Promise<PartnerToken>;
  /**
   * The next token of the endpoint's address is asked for anew, unless one has been since this one; those of the partner's
   * other addresses stay.
   */
  forget(endpoint: NotificationEndpoint, value: string): void;
}

export interface PartnerTokensDeps {
  /** Signs a text with the provider's key. */
  readonly sign: (text: string) => Promise<string>;
  readonly clientId: string;
  readonly version: string;
  readonly client: HttpClient;
  readonly real: () => number;
}

const body = Buffer.from('{"grantType":"client_credentials"}');
const defaultLifeSeconds = 900;
/** A token is renewed so long before it expires. */
const marginMs = 30_000;

/** A partner has one address and, while something is replayed to another one, two. */
const tokensMax = 1_000;
interface KnownToken {
  readonly asked: Promise<string>;
  /** Absent while it is asked for. */
  value?: string;
}

/** More is no token: it would not fit into a header. */
const tokenLengthMax = 8_192;

export function createPartnerTokens(deps: PartnerTokensDeps): PartnerTokens {
  // Without an end while it is asked for. A replay's address must not take the place of the partner's own.
  const known = new LRUCache<string, KnownToken>({ max: tokensMax, ttlResolution: 0, perf: { now: deps.real } });
  const ask = (key: string, endpoint: NotificationEndpoint): KnownToken => {
    known.purgeStale();
    const issued = fetchToken(deps, endpoint);
    const token: KnownToken = { asked: issued.then(({ value }) => value) };
    const keepFor = (ttl: number) => {
      if (known.peek(key) !== token) return;
      if (ttl > 0) known.set(key, token, { ttl });
      else known.delete(key);
    };
    issued.then(
      ({ value, lifeMs }) => {
        token.value = value;
        keepFor(Math.floor(lifeMs - marginMs));
      },
      () => keepFor(0),
    );
    known.set(key, token);
    return token;
  };
  return {
    tokenOf: async (endpoint) => {
      const key = keyOf(endpoint);
      const { asked, value } = known.get(key) ?? ask(key, endpoint);
      return { value: await asked, isCached: value !== undefined };
    },
    forget: (endpoint, value) => {
      const key = keyOf(endpoint);
      // The first of many that were sent with one token forgets it: the others wait for the one that it asks for.
      if (known.peek(key)?.value === value) known.delete(key);
    },
  };
}

function keyOf({ partner, address = "" }: NotificationEndpoint): string {
  return `${partner} ${address}`;
}

async function fetchToken(
  { sign, clientId, version, client, real }: PartnerTokensDeps,
  endpoint: NotificationEndpoint,
) {
  const timestamp = formatTimestamp(real());
  const reply = await client.post(
    notificationUrl(endpoint.address ?? "", version, operations.accessTokenB2b.path),
    {
      [headerNames.contentType]: "application/json",
      [headerNames.timestamp]: timestamp,
      [headerNames.clientKey]: clientId,
      [headerNames.signature]: await sign(stringToSign.token(clientId, timestamp)),
    },
    body,
    endpoint,
  );
  const fields = parseReply(reply.body.toString("utf8"));
  const token = isObject(fields) ? fields["accessToken"] : undefined;
  if (reply.status !== 200 || typeof token !== "string" || token === "" || token.length > tokenLengthMax) {
    throw new Error(`the partner's access-token/b2b answered ${reply.status} without a token`);
  }
  const seconds = Number(isObject(fields) ? fields["expiresIn"] : undefined);
  return { value: token, lifeMs: (Number.isFinite(seconds) && seconds > 0 ? seconds : defaultLifeSeconds) * 1_000 };
}

/** The reason why a text is no JSON is not told: the parser's message quotes it, and it may be a token. */
function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
