/** Steps 4 and 5: whose call this is (spec D2, D3, D4). */
import type { IncomingMessage } from "node:http";
import { bearerToken, headerNames } from "@titian/contract";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import { type AddressList, callerAddress, createAddressList } from "../connections/address-list.ts";
import { type RejectedCall, reject } from "../responses/rejected-call.ts";
import type { PartnerDirectory } from "../partner-directory.ts";
import type { CallerTls } from "./caller-tls.ts";
import type { Tokens } from "./tokens.ts";

interface Identity {
  readonly partner: PartnerCredentials;
  /** The token the signature covers; undefined in mode 2. */
  readonly token: string | undefined;
  /** Account of a verified customer token, if one was sent. */
  readonly customerAccountNo: string | undefined;
}

interface IdentityHeaders {
  readonly partnerId: string;
  readonly authorization: string | undefined;
  readonly customerAuthorization: string | undefined;
}

export const unknownClient = reject(5, "unauthorized", { reason: "Unknown client" });
const connectionNotAllowed = reject(5, "unauthorized", { reason: "Connection not allowed" });
const tokenNotFound = reject(4, "tokenNotFound");
const invalidToken = reject(4, "invalidToken");
const invalidCustomerToken = reject(4, "invalidCustomerToken");
/** No caller can be authenticated now: nothing was changed, the call may be repeated. */
export const partnersStale = reject(4, "serviceUnavailable", { retryAfter: 1 });

export interface ConnectionContext {
  readonly trustedProxies: AddressList;
  readonly callerTls: CallerTls;
}

export interface IdentifyContext {
  readonly partners: PartnerDirectory;
  readonly tokens: Tokens;
}

/**
 * The token, the customer's token, then the partner: in this order the first fault is answered.
 * `X-PARTNER-ID` alone decides whether a token is needed; a token of a partner that needs none is ignored.
 */
export async function identify(
  headers: IdentityHeaders,
  { partners, tokens }: IdentifyContext,
): Promise<Identity | RejectedCall> {
  if (partners.isStale()) return partnersStale;
  const named = partners.byPartnerId(headers.partnerId);
  let token: string | undefined;
  let partner = named;
  if (named?.signing !== "asymmetric") {
    if (isEmpty(headers.authorization)) return tokenNotFound;
    token = bearerToken(headers.authorization);
    const claims = token === undefined ? undefined : await tokens.read("partner", token);
    // A suspended partner's tokens end with its suspension, on every node that has heard of it.
    partner = claims === undefined ? undefined : partners.byKey(claims.partnerKey);
    if (partner?.status !== "active") return invalidToken;
  }

  let customerAccountNo: string | undefined;
  if (headers.customerAuthorization !== undefined) {
    const customerToken = bearerToken(headers.customerAuthorization);
    const claims = customerToken === undefined ? undefined : await tokens.read("customer", customerToken);
    if (claims?.customer === undefined || claims.partnerKey !== partner?.key) return invalidCustomerToken;
    if (partners.isGrantEnded(claims.customer.grantId)) return invalidCustomerToken;
    customerAccountNo = claims.customer.accountNo;
  }

  if (partner?.partnerId !== headers.partnerId || partner.status !== "active") return unknownClient;
  return { partner, token, customerAccountNo };
}

/** True for an `Authorization` header that holds nothing, as of a caller whose token is an empty text. */
function isEmpty(header: string | undefined): boolean {
  return header === undefined || header === "" || (header.length < 8 && /^bearer *$/i.test(header));
}

const addressLists = new WeakMap<PartnerCredentials, AddressList>();

/** Rejects a partner that may not call from here, or not over this connection (spec D2 step 5). */
export function checkConnection(
  partner: PartnerCredentials,
  request: IncomingMessage,
  { trustedProxies, callerTls }: ConnectionContext,
): RejectedCall | undefined {
  return checkAddress(partner, request, trustedProxies) ?? callerTls.check(partner, request);
}

/** An empty list allows any address. */
function checkAddress(
  partner: PartnerCredentials,
  request: IncomingMessage,
  trustedProxies: AddressList,
): RejectedCall | undefined {
  if (partner.addresses.length === 0) return undefined;
  let list = addressLists.get(partner);
  if (list === undefined) {
    list = createAddressList(partner.addresses);
    addressLists.set(partner, list);
  }
  return list.has(callerAddress(request, trustedProxies)) ? undefined : connectionNotAllowed;
}

const channelIdTooLong = reject(5, "invalidFieldFormat", { field: headerNames.channelId });

/** The length of a `CHANNEL-ID` is agreed with each partner, so it is judged once the partner is known. */
export function checkChannelId(partner: PartnerCredentials, channelId: string): RejectedCall | undefined {
  return channelId.length <= partner.channelIdLengthMax ? undefined : channelIdTooLong;
}
