/** Code 73: a token for a partner's own calls (decision D3). */
import { mandatory, optional } from "../fields/field.ts";
import { oneOf, text } from "../fields/text-types.ts";
import { FreeForm } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";

export const accessTokenB2b = defineOperation({
  code: "73",
  name: "accessTokenB2b",
  path: "access-token/b2b",
  kind: "token",
  direction: "toProvider",
  title: "Get an access token",
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
});
