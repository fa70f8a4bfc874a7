/** Service 74: a token bound to one customer's account, against a code or a refresh token (spec D3). */
import { formatTimestamp } from "@titian/contract";
import { customerTokenSeconds, type PartnerCredentials, type Reply } from "../../interfaces/call.ts";
import type { Instant } from "../../basics/clock.ts";
import type { Tokens } from "./tokens.ts";

/** Customer grants. */
export interface CustomerGrants {
  /** Spends what the partner presents, once. @throws when that cannot be found out. */
  redeem(
    partner: PartnerCredentials,
    presented: { readonly kind: "code" | "refreshToken"; readonly text: string },
  ): Promise<RedeemedGrant | "invalid" | "busy">;
}

interface RedeemedGrant {
  /** Id of the grant: its end is the end of the token. */
  readonly id: string;
  readonly accountNo: string;
  /** The next one: at most 512 characters, good once. */
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: Instant;
}

interface GrantType {
  /** Request field of the presented secret. */
  readonly field: "authCode" | "refreshToken";
  readonly kind: "code" | "refreshToken";
  /** Unknown, used, expired, another partner's, or its account closed: the response does not say which. */
  readonly rejected: Reply;
}

const reject = (reason: string): Reply => ({ case: "unauthorized", reason, echo: false });

const byCode: GrantType = { field: "authCode", kind: "code", rejected: reject("Invalid authorization code") };
const byRefreshToken: GrantType = {
  field: "refreshToken",
  kind: "refreshToken",
  rejected: reject("Invalid refresh token"),
};
const busy: Reply = { case: "serviceUnavailable", retryAfter: 1, echo: false };

/** The reply to a valid request of an authenticated partner. */
export async function issueCustomerToken(
  partner: PartnerCredentials,
  request: Readonly<Record<string, unknown>>,
  { customerGrants, tokens }: { readonly customerGrants: CustomerGrants; readonly tokens: Tokens },
): Promise<Reply> {
  const { field, kind, rejected } = request["grantType"] === "refresh_token" ? byRefreshToken : byCode;
  const text = request[field];
  if (typeof text !== "string") return { case: "invalidMandatoryField", field };
  const grant = await customerGrants.redeem(partner, { kind, text });
  if (grant === "invalid") return rejected;
  if (grant === "busy") return busy;
  const { token, expiresAt } = await tokens.issueCustomer(partner.key, {
    grantId: grant.id,
    accountNo: grant.accountNo,
  });
  return {
    case: "success",
    fields: {
      accessToken: token,
      tokenType: "Bearer",
      accessTokenExpiryTime: formatTimestamp(expiresAt),
      expiresIn: String(customerTokenSeconds),
      refreshToken: grant.refreshToken,
      refreshTokenExpiryTime: formatTimestamp(grant.refreshTokenExpiresAt),
    },
  };
}
