/**
 * Decides whether a request is an authenticated, valid call. The order of the checks is decision D2's, steps 3 to 12,
 * and public: if two faults are there, the first is answered. Steps 1 and 2 are the route's and the body's reader's.
 */
import type { IncomingMessage } from "node:http";
import { hashBody, minify, parseTimestamp, readHeaders, readJson, readRequest } from "@titian/contract";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { newCorrelationId } from "../ids.ts";
import type { AddressList } from "./address-list.ts";
import { checkAddress, checkChannelId, type IdentifyContext, identify } from "./identify.ts";
import { checkRate, checkRoom, checkService } from "./limits.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "./refusal.ts";
import { type Route, targetOf } from "./routes.ts";
import { checkSignature } from "./signature.ts";
import { checkTimestamp } from "./timestamp-window.ts";

export interface CheckContext extends IdentifyContext {
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
  /** Whether the queue would take a write of this partner now. */
  readonly hasRoom: (partnerKey: string) => boolean;
  readonly trustedProxies: AddressList;
  readonly timestampWindowMs: number;
  readonly externalIdDigitsOnly: boolean;
}

export async function checkCall(
  { operation }: Route,
  request: IncomingMessage,
  body: Buffer,
  context: CheckContext,
): Promise<Call | Refusal> {
  const target = targetOf(request);

  // 3: headers
  const headers = readHeaders("transaction", request.headers, { digitsOnlyExternalId: context.externalIdDigitsOnly });
  if (!headers.ok) return refuse(headers.case, { field: headers.field });
  const { timestamp, signature, partnerId, externalId, channelId } = headers.value;
  const encoded = checkContentEncoding(request);
  if (encoded !== undefined) return encoded;

  // 4 and 5: token, partner, address
  const { authorization, "authorization-customer": customerAuthorization } = request.headers;
  const identity = await identify(
    { partnerId, authorization, customerAuthorization: single(customerAuthorization) },
    context,
  );
  if (isRefusal(identity)) return identity;
  const { partner, token, customerAccountNo } = identity;
  const unfit = checkAddress(partner, request, context.trustedProxies) ?? checkChannelId(partner, channelId);
  if (unfit !== undefined) return unfit;

  // 6: time
  const sentAt = parseTimestamp(timestamp) ?? Number.NaN;
  const windowEndsAt = checkTimestamp(sentAt, partner.timestampWindowMs ?? context.timestampWindowMs, context.clock);
  if (isRefusal(windowEndsAt)) return windowEndsAt;

  // 7: signature, over the bytes as they came
  const rawHash = hashBody(body);
  const signed = checkSignature({ partner, token, target, timestamp, signature, body, bodyHash: rawHash });
  if (signed !== undefined) return signed;

  // 8 and 9: what the partner may use, how often, and whether there is room
  const limited =
    checkService(partner, operation) ??
    checkRate(partner, context.rateLimiter, context.clock.real()) ??
    checkRoom(partner, operation, context.hasRoom);
  if (limited !== undefined) return limited;

  // 10: strict JSON
  const json = readJson(body, operation);
  if (!json.ok) return refuse("badRequest");

  // 11 and 12: mandatory fields, then formats
  const { freeForm } = json;
  const read = readRequest(operation, json.value);
  if (!read.ok) return refuseField(read, freeForm);

  return {
    operation,
    partner,
    ...(customerAccountNo !== undefined && { customerAccountNo }),
    externalId,
    signature,
    sentAt,
    windowEndsAt,
    request: read.value,
    bodyHash: json.hasOuterWhitespace ? hashBody(minify(body)) : rawHash,
    freeForm,
    correlationId: newCorrelationId(),
  };
}

/** A body in another encoding than its own bytes is not read: which bytes were signed would be a question. */
export function checkContentEncoding(request: IncomingMessage): Refusal | undefined {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return undefined;
  return refuse("invalidFieldFormat", { field: "Content-Encoding" });
}

/** A repeated header is joined, so that it is no token. */
function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}
