/** Code 74: a token bound to one customer's account (spec D3). */
import { conditional, mandatory, optional } from "../../fields/field.ts";
import { oneOf, text } from "../../fields/text-types.ts";
import { FreeForm, Timestamp } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";
import { given, inAnyCase } from "../../shapes/alternatives.ts";

export const accessTokenB2b2c = defineOperation({
  code: "74",
  name: "accessTokenB2b2c",
  path: "access-token/b2b2c",
  kind: "token",
  direction: "toProvider",
  about: { noun: "token" },
  title: "Get a customer's access token",
  titleTranslations: { id: "Minta access token nasabah" },
  description:
    "Issues an access token bound to one customer's account, in exchange for the customer's authorization code or a refresh token.",
  descriptionTranslations: {
    id: "Menerbitkan access token untuk satu rekening nasabah, ditukar dengan kode otorisasi nasabah atau refresh token.",
  },
  request: {
    grantType: mandatory(oneOf(["authorization_code", "refresh_token"], { ignoreCase: true })),
    authCode: conditional(text(256)),
    refreshToken: conditional(text(512)),
    additionalInfo: optional(FreeForm),
  },
  response: {
    accessToken: mandatory(text(2048)),
    tokenType: mandatory(text(16)),
    accessTokenExpiryTime: mandatory(Timestamp),
    // As in 73: some clients read it here too.
    expiresIn: optional(text(8)),
    refreshToken: mandatory(text(512)),
    refreshTokenExpiryTime: mandatory(Timestamp),
    additionalInfo: optional(FreeForm),
  },
  alternatives: [
    given("authCode", { grantType: inAnyCase("authorization_code") }),
    given("refreshToken", { grantType: inAnyCase("refresh_token") }),
  ],
  cases: [],
  example: {
    request: { grantType: "authorization_code", authCode: "a6975f82-d00a-4ddc-9633-087fefb6275e" },
    response: {
      accessToken: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwYXJ0bmVyIn0.c2lnbmF0dXJl",
      tokenType: "Bearer",
      accessTokenExpiryTime: "2026-12-06T10:00:00+07:00",
      expiresIn: "1296000",
      refreshToken: "7f1c9c1e-3f2b-4a58-9f0e-2f6d9a2b8c11",
      refreshTokenExpiryTime: "2027-01-20T10:00:00+07:00",
    },
  },
});
