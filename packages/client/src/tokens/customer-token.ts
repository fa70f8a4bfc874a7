/** Customer tokens (service 74): the grant to exchange, and the tokens of the response (spec D3). */
import { parseTimestamp, type RequestOf } from "@titian/contract";
import { ProtocolError } from "../errors/errors.ts";
import type { CallResponse } from "../exchange/call-response.ts";

/** The customer's authorization code, or the newest refresh token. Each is single-use. */
export type CustomerGrant =
  | { readonly authCode: string; readonly refreshToken?: undefined }
  | { readonly refreshToken: string; readonly authCode?: undefined };

/** Plain data, and secret. Store it before using it: the code or refresh token it came from is spent. */
export interface CustomerToken {
  /** For the option `customerToken` of a call. */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** For the next `getCustomerToken`. */
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: number;
}

type Request = RequestOf<"accessTokenB2b2c">;

/** Throws a TypeError without the secret in it. */
export function requestFor({ authCode, refreshToken }: CustomerGrant): Request {
  if (isSecret(authCode) && refreshToken === undefined) return { grantType: "authorization_code", authCode };
  if (isSecret(refreshToken) && authCode === undefined) return { grantType: "refresh_token", refreshToken };
  throw new TypeError("give either authCode or refreshToken, as a string");
}

export function readCustomerToken(response: CallResponse<"accessTokenB2b2c">): CustomerToken {
  const { accessToken, refreshToken, operation, httpStatus } = response;
  const expiresAt = parseTimestamp(response.accessTokenExpiryTime);
  const refreshTokenExpiresAt = parseTimestamp(response.refreshTokenExpiryTime);
  const isUsable = /^[\x21-\x7e]+$/.test(accessToken) && refreshToken !== "";
  if (!isUsable || expiresAt === undefined || refreshTokenExpiresAt === undefined) {
    const context = { operation, attempt: undefined, isFinal: true } as const;
    throw new ProtocolError(httpStatus, "invalid tokens or expiry times", context);
  }
  return { accessToken, expiresAt, refreshToken, refreshTokenExpiresAt };
}

function isSecret(text: unknown): text is string {
  return typeof text === "string" && text !== "";
}
