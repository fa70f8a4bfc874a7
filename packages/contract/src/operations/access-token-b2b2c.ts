/** Code 74: a token bound to one customer's account (decision D3). */
import { conditional, mandatory, optional } from "../fields/field.ts";
import { oneOf, text } from "../fields/text-types.ts";
import { FreeForm, Timestamp } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const accessTokenB2b2c = defineOperation({
  code: "74",
  name: "accessTokenB2b2c",
  path: "access-token/b2b2c",
  kind: "token",
  direction: "toProvider",
  title: "Get a customer's access token",
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
    refreshToken: mandatory(text(512)),
    refreshTokenExpiryTime: mandatory(Timestamp),
    additionalInfo: optional(FreeForm),
  },
});
