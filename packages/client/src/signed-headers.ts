/** The headers of a call, with the signature over the exact bytes sent (decisions D3, D4). */
import { formatTimestamp, hashBody, headerNames, signHmac, signRsaAsync, stringToSign } from "@titian/contract";
import type { SendOptions } from "./exchange/call-options.ts";
import type { Settings } from "./options.ts";

type Headers = Record<string, string>;

/** For 73 and 74: signed with the private key, without the body. */
export async function tokenCallHeaders({ clientKey, clock, keys }: Settings, options: SendOptions): Promise<Headers> {
  const timestamp = formatTimestamp(clock.now());
  return {
    ...options.headers,
    [headerNames.contentType]: "application/json",
    [headerNames.timestamp]: timestamp,
    [headerNames.clientKey]: clientKey,
    [headerNames.signature]: await signRsaAsync(keys.privateKey, stringToSign.token(clientKey, timestamp)),
  };
}

export interface UnsignedCall {
  readonly path: string;
  readonly externalId: string;
  readonly bytes: Uint8Array;
  /** Present in mode 1, absent in mode 2. */
  readonly accessToken: string | undefined;
  /** `X-TIMESTAMP`. */
  readonly timestamp: string;
}

/** For every other call. */
export async function transactionHeaders(
  { partnerId, channelId, keys }: Settings,
  { path, externalId, bytes, accessToken, timestamp }: UnsignedCall,
  options: SendOptions,
): Promise<Headers> {
  const text = stringToSign.transaction({ method: "POST", path, accessToken, bodyHash: hashBody(bytes), timestamp });
  const signature = keys.mode === "symmetric" ? signHmac(keys.secret, text) : await signRsaAsync(keys.privateKey, text);
  const { customerToken } = options;
  return {
    ...options.headers,
    [headerNames.contentType]: "application/json",
    ...(accessToken === undefined ? {} : { [headerNames.authorization]: `Bearer ${accessToken}` }),
    ...(customerToken === undefined ? {} : { [headerNames.authorizationCustomer]: `Bearer ${customerToken}` }),
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: signature,
    [headerNames.partnerId]: partnerId,
    [headerNames.externalId]: externalId,
    [headerNames.channelId]: channelId,
  };
}
