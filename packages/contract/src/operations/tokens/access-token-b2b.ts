/** Code 73: a token for a partner's own calls (spec D3). */
import { mandatory, optional } from "../../fields/field.ts";
import { oneOf, text } from "../../fields/text-types.ts";
import { FreeForm } from "../../fields/types.ts";
import { defineOperation } from "../../operation.ts";

export const accessTokenB2b = defineOperation({
  code: "73",
  name: "accessTokenB2b",
  path: "access-token/b2b",
  kind: "token",
  direction: "toProvider",
  about: { noun: "token" },
  title: "Get an access token",
  titleTranslations: { id: "Minta access token" },
  description:
    "Issues an access token for the partner's own calls, in exchange for an RSA signature over client key and time.",
  descriptionTranslations: {
    id: "Menerbitkan access token untuk panggilan partner sendiri, ditukar dengan tanda tangan RSA atas client key dan waktu.",
  },
  request: {
    grantType: mandatory(oneOf(["client_credentials"])),
    additionalInfo: optional(FreeForm),
  },
  response: {
    accessToken: mandatory(text(2048)),
    tokenType: mandatory(text(16)),
    expiresIn: mandatory(text(8)),
    additionalInfo: optional(FreeForm),
  },
  cases: [],
  example: {
    request: { grantType: "client_credentials" },
    response: {
      accessToken: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwYXJ0bmVyIn0.c2lnbmF0dXJl",
      tokenType: "Bearer",
      expiresIn: "900",
    },
  },
});
