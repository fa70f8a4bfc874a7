/**
 * Steps 3 to 6 of spec D2: the headers. They are checked before the body is read, so that unauthenticated callers cannot
 * make the service keep bodies.
 */
import type { IncomingMessage } from "node:http";
import { parseTimestamp, readHeaders } from "@titian/contract";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { Clock, Instant } from "../../basics/clock.ts";
import {
  checkChannelId,
  checkConnection,
  type ConnectionContext,
  type IdentifyContext,
  identify,
} from "../authentication/identify.ts";
import { isRejection, type RejectedCall, reject } from "../responses/rejected-call.ts";
import { checkTimestamp } from "../authentication/timestamp-window.ts";

export interface HeadContext extends IdentifyContext, ConnectionContext {
  readonly clock: Clock;
  readonly timestampWindowMs: number;
  readonly externalIdDigitsOnly: boolean;
}

/** A call with valid headers; its signature, which covers the body, is checked later. */
export interface Head {
  readonly partner: PartnerCredentials;
  /** The token without `Bearer`, which proves the partner; undefined in mode 2, where only the signature will. */
  readonly token: string | undefined;
  readonly customerAccountNo: string | undefined;
  readonly externalId: string;
  /** The text of `X-TIMESTAMP`. */
  readonly timestamp: string;
  readonly signature: string;
  /** `X-TIMESTAMP` (epoch ms). */
  readonly sentAt: Instant;
  /** Real time at which the timestamp leaves the window. */
  readonly windowEndsAt: Instant;
}

export async function checkHead(request: IncomingMessage, context: HeadContext): Promise<Head | RejectedCall> {
  // 3: headers
  const headers = readHeaders("transaction", request.headers, { digitsOnlyExternalId: context.externalIdDigitsOnly });
  if (!headers.ok) return reject(3, headers.case, { field: headers.field });
  const { timestamp, signature, partnerId, externalId, channelId } = headers.value;
  const encoded = checkContentEncoding(request);
  if (encoded !== undefined) return encoded;

  // 4 and 5: token, partner, connection
  const { authorization, "authorization-customer": customerAuthorization } = request.headers;
  const identity = await identify(
    { partnerId, authorization, customerAuthorization: single(customerAuthorization) },
    context,
  );
  if (isRejection(identity)) return identity;
  const { partner, token, customerAccountNo } = identity;
  const unfit = checkConnection(partner, request, context) ?? checkChannelId(partner, channelId);
  if (unfit !== undefined) return unfit;

  // 6: time
  const sentAt = parseTimestamp(timestamp) ?? Number.NaN;
  const windowEndsAt = checkTimestamp(sentAt, partner.timestampWindowMs ?? context.timestampWindowMs, context.clock);
  if (isRejection(windowEndsAt)) return windowEndsAt;
  return { partner, token, customerAccountNo, externalId, timestamp, signature, sentAt, windowEndsAt };
}

/** An encoded body is rejected: it would be open which bytes were signed. */
export function checkContentEncoding(request: IncomingMessage): RejectedCall | undefined {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return undefined;
  return reject(3, "invalidFieldFormat", { field: "Content-Encoding" });
}

/** A repeated header is joined, so that it is no token. */
function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}
