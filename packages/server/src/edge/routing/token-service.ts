/**
 * The token calls (services 73 and 74; spec D3). Same order of checks as every other call, without a token:
 * headers, client, address, time, signature, rate, JSON, mandatory fields, formats.
 */
import type { IncomingMessage } from "node:http";
import {
  type HeaderValues,
  type OperationRow,
  parseTimestamp,
  readHeaders,
  readJson,
  readRequest,
  stringToSign,
} from "@titian/contract";
import type { PartnerCredentials, Reply } from "../../interfaces/call.ts";
import type { EchoSource } from "../responses/response-form.ts";
import type { CheckContext } from "../checks/check-call.ts";
import { checkContentEncoding, type HeadContext } from "../checks/check-head.ts";
import { type CustomerGrants, issueCustomerToken } from "../authentication/customer-token.ts";
import { checkConnection, partnersStale, unknownClient } from "../authentication/identify.ts";
import { checkRate } from "../checks/check-capacity.ts";
import type { Decision } from "../http-exchange.ts";
import {
  isRejection,
  type RejectedCall,
  reject,
  rejectField,
  rejectJson,
  stepOfReply,
} from "../responses/rejected-call.ts";
import { verifiesRsa, wrongSignature } from "../authentication/signature.ts";
import { checkTimestamp } from "../authentication/timestamp-window.ts";
import { partnerTokenSeconds, type Tokens } from "../authentication/tokens.ts";

export interface TokenContext extends CheckContext, HeadContext {
  readonly customerGrants: CustomerGrants;
}

/** A token call whose client is known: its signature covers headers alone. */
export interface TokenHead {
  readonly partner: PartnerCredentials;
  /** Client key and time come back as they were sent (the standard's table of headers). */
  readonly headers: readonly string[];
}

/** Steps 3 to 7: all that needs no body. */
export function checkTokenHead(request: IncomingMessage, context: HeadContext): TokenHead | RejectedCall {
  const read = readHeaders("token", request.headers);
  if (!read.ok) return reject(3, read.case, { field: read.field });
  const { clientKey, timestamp } = read.value;
  const headers = ["X-CLIENT-KEY", clientKey, "X-TIMESTAMP", timestamp];
  const partner = checkClient(read.value, request, context);
  return isRejection(partner) ? { ...partner, headers } : { partner, headers };
}

function checkClient(
  { clientKey, timestamp, signature }: HeaderValues<"token">,
  request: IncomingMessage,
  context: HeadContext,
): PartnerCredentials | RejectedCall {
  const encoded = checkContentEncoding(request);
  if (encoded !== undefined) return encoded;

  if (context.partners.isStale()) return partnersStale;
  const partner = context.partners.byClientKey(clientKey);
  if (partner?.status !== "active") return unknownClient;
  const unfit = checkConnection(partner, request, context);
  if (unfit !== undefined) return unfit;

  const windowEndsAt = checkTimestamp(
    parseTimestamp(timestamp) ?? Number.NaN,
    partner.timestampWindowMs ?? context.timestampWindowMs,
    context.clock,
  );
  if (isRejection(windowEndsAt)) return windowEndsAt;
  return verifiesRsa(partner, stringToSign.token(clientKey, timestamp), signature) ? partner : wrongSignature;
}

/** Steps 9 to 14 of a client that is known. */
export async function decideTokenCall(
  operation: OperationRow,
  { partner, headers }: TokenHead,
  body: Buffer,
  context: TokenContext,
): Promise<Decision> {
  const call = checkTokenBody(operation, partner, body, context);
  if (isRejection(call)) {
    return { reply: call.rejected, rejectedAt: call.step, source: withoutSecrets(call.source), headers };
  }
  const reply =
    operation.name === "accessTokenB2b"
      ? await issueToken(partner, context.tokens)
      : await issueCustomerToken(partner, call.request, context);
  return { reply, rejectedAt: stepOfReply(reply), source: withoutSecrets(call), headers };
}

/** Request and response of 74 share a field; that of the request is a secret, and is never echoed. */
function withoutSecrets(source: EchoSource | undefined): EchoSource | undefined {
  if (source === undefined) return undefined;
  const { refreshToken: _refreshToken, ...request } = source.request;
  return { ...source, request };
}

function checkTokenBody(
  operation: OperationRow,
  partner: PartnerCredentials,
  body: Buffer,
  context: CheckContext,
): EchoSource | RejectedCall {
  const limited = checkRate(partner, operation, context.rateLimiter, context.clock.real());
  if (limited !== undefined) return limited;

  const json = readJson(body, operation);
  if (!json.ok) return rejectJson(json.reason);
  const { freeForm } = json;
  const read = readRequest(operation, json.value);
  return read.ok ? { request: read.value, freeForm } : rejectField(read, freeForm);
}

async function issueToken(partner: PartnerCredentials, tokens: Tokens): Promise<Reply> {
  const { token } = await tokens.issue(partner.key);
  return {
    case: "success",
    fields: { accessToken: token, tokenType: "Bearer", expiresIn: String(partnerTokenSeconds) },
  };
}
