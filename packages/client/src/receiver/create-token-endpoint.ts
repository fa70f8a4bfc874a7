/** The partner's `access-token/b2b` (73), where a provider that signs in mode 1 obtains the token of its notifications. */
import {
  type HeaderValues,
  headerNames,
  headerPatterns,
  operations,
  type ParsedKey,
  readHeaders,
  readJson,
  readRequest,
  stringToSign,
  verifyRsa,
} from "@titian/contract";
import { createEndpoint, type Endpoint } from "./http/endpoint.ts";
import type { Incoming } from "./http/incoming.ts";
import { type EndpointOptions, type EndpointSettings, readEndpointOptions, routed } from "./endpoint-options.ts";
import { type PublicKey, readPublicKeys, readTokenSecrets } from "./receiver-keys.ts";
import { issueReceiverToken } from "./receiver-tokens.ts";
import { rejectBody } from "./receive.ts";
import { type RequestRejection, reject, rejectField, rejectJson } from "./rejection.ts";
import { type Reply, successReply } from "./http/reply.ts";
import { checkTimestamp, rejectHeader } from "./verify.ts";

export interface TokenEndpointOptions extends EndpointOptions {
  /** The client id that you gave the provider: its `X-CLIENT-KEY`. */
  readonly clientKey: string;
  /** The provider's RSA keys; two while one replaces the other. */
  readonly providerPublicKeys: readonly PublicKey[];
  /** Random texts of at least 32 bytes, those of the receiver; the first one signs, all verify. One set per provider. */
  readonly tokenSecrets: readonly string[];
  /** Lifetime of a token in seconds. Default 900. */
  readonly lifetimeSeconds?: number | undefined;
}

interface TokenSettings extends EndpointSettings {
  readonly clientKey: string;
  readonly publicKeys: readonly ParsedKey[];
  readonly tokenSecret: ParsedKey;
  readonly lifetimeSeconds: number;
}

const row = operations.accessTokenB2b;
const maxBytes = 65_536;
const longestLifetimeSeconds = 86_400;

/** @throws TypeError for invalid options. */
export function createTokenEndpoint(options: TokenEndpointOptions): Endpoint {
  const { clientKey, lifetimeSeconds = 900 } = options;
  if (typeof clientKey !== "string" || !headerPatterns.clientKey.test(clientKey)) {
    throw new TypeError("clientKey must be 1 to 128 visible characters");
  }
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > longestLifetimeSeconds) {
    throw new TypeError(`lifetimeSeconds must be a whole number from 1 to ${longestLifetimeSeconds}`);
  }
  const [tokenSecret] = readTokenSecrets(options.tokenSecrets);
  if (tokenSecret === undefined) throw new TypeError("tokenSecrets must be a list of at least one");
  const endpoint = readEndpointOptions(options);
  const publicKeys = readPublicKeys(options.providerPublicKeys);
  const settings = { ...endpoint, clientKey, publicKeys, tokenSecret, lifetimeSeconds };
  return createEndpoint(routed([{ row, handle: (incoming) => issueToken(incoming, settings) }], endpoint));
}

async function issueToken(incoming: Incoming, settings: TokenSettings): Promise<Reply | RequestRejection> {
  const limits = { maxBytes, timeoutMs: settings.bodyTimeoutMs };
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return rejectBody("tooLarge", limits);
  const headers = readHeaders("token", incoming.headers);
  if (!headers.ok) return rejectHeader(headers);
  const fault = checkClient(headers.value, settings);
  if (fault !== undefined) return fault;

  const body = await incoming.readBody(limits);
  if (typeof body === "string") return rejectBody(body, limits);
  const json = readJson(body, row);
  if (!json.ok) return rejectJson(json.reason);
  const read = readRequest(row, json.value);
  if (!read.ok) return rejectField(read);
  const now = settings.clock.now();
  const accessToken = issueReceiverToken(settings.tokenSecret, now + settings.lifetimeSeconds * 1_000);
  const fields = { accessToken, tokenType: "Bearer", expiresIn: String(settings.lifetimeSeconds) };
  return successReply(now, row.code, fields, { [headerNames.clientKey]: settings.clientKey });
}

/** All of it is in the headers: the signature covers client key and time. */
function checkClient(
  { clientKey, timestamp, signature }: HeaderValues<"token">,
  settings: TokenSettings,
): RequestRejection | undefined {
  if (clientKey !== settings.clientKey) {
    return reject("partner", "unauthorized", "X-CLIENT-KEY is not the provider's.", { reason: "Unknown client" });
  }
  const outside = checkTimestamp(timestamp, settings.timestampWindowMs, settings.clock.now());
  if (outside !== undefined) return outside;
  const text = stringToSign.token(clientKey, timestamp);
  if (settings.publicKeys.some((key) => verifyRsa(key, text, signature))) return undefined;
  const cause = `X-SIGNATURE verifies with none of the providerPublicKeys. Text to sign: ${text}`;
  return reject("signature", "unauthorized", cause, { reason: "Signature" });
}
