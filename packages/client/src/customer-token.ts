/** Service 74 for whoever acts for a customer: what is presented, and what is worth keeping of the answer (D3). */
import { parseTimestamp, type RequestOf } from "@titian/contract";
import { ProtocolError } from "./errors.ts";
import type { Answer } from "./answer.ts";

/** The code the customer came back with, or the newest refresh token. Each is good once. */
export type CustomerGrant =
  | { readonly authCode: string; readonly refreshToken?: undefined }
  | { readonly refreshToken: string; readonly authCode?: undefined };

/** Plain data, and secret. Store it before anything is done with it: what it was got with is spent. */
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

/** Throws a TypeError that never shows what was given. */
export function requestFor({ authCode, refreshToken }: CustomerGrant): Request {
  if (isSecret(authCode) && refreshToken === undefined) return { grantType: "authorization_code", authCode };
  if (isSecret(refreshToken) && authCode === undefined) return { grantType: "refresh_token", refreshToken };
  throw new TypeError("give either the authCode of the customer or the newest refreshToken, as a text");
}

export function readCustomerToken(answer: Answer<"accessTokenB2b2c">): CustomerToken {
  const { accessToken, refreshToken, operation, httpStatus } = answer;
  const expiresAt = parseTimestamp(answer.accessTokenExpiryTime);
  const refreshTokenExpiresAt = parseTimestamp(answer.refreshTokenExpiryTime);
  const isUsable = /^[\x21-\x7e]+$/.test(accessToken) && refreshToken !== "";
  if (!isUsable || expiresAt === undefined || refreshTokenExpiresAt === undefined) {
    const context = { operation, attempt: undefined, isDecided: true } as const;
    throw new ProtocolError(httpStatus, "tokens or times that cannot be used", context);
  }
  return { accessToken, expiresAt, refreshToken, refreshTokenExpiresAt };
}

function isSecret(text: unknown): text is string {
  return typeof text === "string" && text !== "";
}
