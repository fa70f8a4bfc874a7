/**
 * The token calls (services 73 and 74; decision D3). Same order of checks as every other call, without a token:
 * headers, client, address, time, signature, rate, JSON, mandatory fields, formats.
 */
import type { IncomingMessage } from "node:http";
import { type HeaderValues, parseTimestamp, readHeaders, readJson, readRequest, stringToSign } from "@titian/contract";
import type { PartnerCredentials, Reply } from "../call.ts";
import type { Answer, EchoSource } from "./answer.ts";
import { type CheckContext, checkContentEncoding } from "./check-call.ts";
import { type CustomerGrants, issueCustomerToken } from "./customer-token.ts";
import { checkAddress, partnersStale, unknownClient } from "./identify.ts";
import { checkRate } from "./limits.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "./refusal.ts";
import type { Route } from "./routes.ts";
import { verifiesRsa, wrongSignature } from "./signature.ts";
import { checkTimestamp } from "./timestamp-window.ts";
import { partnerTokenSeconds, type Tokens } from "./tokens.ts";

export interface TokenContext extends CheckContext {
  readonly customerGrants: CustomerGrants;
}

interface TokenCall extends EchoSource {
  readonly partner: PartnerCredentials;
}

export async function answerTokenCall(
  route: Route,
  request: IncomingMessage,
  body: Buffer,
  context: TokenContext,
): Promise<Answer> {
  const { answers, operation } = route;
  const headers = readHeaders("token", request.headers);
  if (!headers.ok) return answers.write(refuse(headers.case, { field: headers.field }).refused);
  const { clientKey, timestamp } = headers.value;
  // Both come back as they were sent (the standard's table of headers).
  const echoed = ["X-CLIENT-KEY", clientKey, "X-TIMESTAMP", timestamp];
  const call = checkTokenCall(route, headers.value, request, body, context);
  if (isRefusal(call)) return answers.write(call.refused, withoutSecrets(call.source), echoed);
  const reply =
    operation.name === "accessTokenB2b"
      ? await issueToken(call, context.tokens)
      : await issueCustomerToken(call.partner, call.request, context);
  return answers.write(reply, withoutSecrets(call), echoed);
}

/** 74 answers with a field that its request has too; the one that was sent is a secret, and goes back in no answer. */
function withoutSecrets(source: EchoSource | undefined): EchoSource | undefined {
  if (source === undefined) return undefined;
  const { refreshToken: _refreshToken, ...request } = source.request;
  return { ...source, request };
}

function checkTokenCall(
  { operation }: Route,
  { clientKey, timestamp, signature }: HeaderValues<"token">,
  request: IncomingMessage,
  body: Buffer,
  context: CheckContext,
): TokenCall | Refusal {
  const encoded = checkContentEncoding(request);
  if (encoded !== undefined) return encoded;

  if (context.partners.isStale()) return partnersStale;
  const partner = context.partners.byClientKey(clientKey);
  if (partner?.status !== "active") return unknownClient;
  const address = checkAddress(partner, request, context.trustedProxies);
  if (address !== undefined) return address;

  const windowEndsAt = checkTimestamp(
    parseTimestamp(timestamp) ?? Number.NaN,
    partner.timestampWindowMs ?? context.timestampWindowMs,
    context.clock,
  );
  if (isRefusal(windowEndsAt)) return windowEndsAt;
  if (!verifiesRsa(partner, stringToSign.token(clientKey, timestamp), signature)) return wrongSignature;
  const limited = checkRate(partner, context.rateLimiter, context.clock.real());
  if (limited !== undefined) return limited;

  const json = readJson(body, operation);
  if (!json.ok) return refuse("badRequest");
  const { freeForm } = json;
  const read = readRequest(operation, json.value);
  return read.ok ? { partner, request: read.value, freeForm } : refuseField(read, freeForm);
}

async function issueToken({ partner }: TokenCall, tokens: Tokens): Promise<Reply> {
  const { token } = await tokens.issue(partner.key);
  return {
    case: "success",
    fields: { accessToken: token, tokenType: "Bearer", expiresIn: String(partnerTokenSeconds) },
  };
}
