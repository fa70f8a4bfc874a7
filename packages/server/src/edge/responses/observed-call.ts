/** Describes a call for an observer. */
import type { IncomingMessage } from "node:http";
import { type OperationRow, responseCases, responseCode } from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import type { Clock } from "../../basics/clock.ts";
import type { WrittenResponse } from "./response-form.ts";
import type { PartnerDirectory } from "../partner-directory.ts";
import { noService } from "./bare-envelope.ts";
import { type AddressList, callerAddress } from "../connections/address-list.ts";
import type { Exchange, Undecided } from "../http-exchange.ts";
import type { ObservedCall } from "../call-hooks.ts";

interface CallContext {
  readonly clock: Clock;
  readonly partners: PartnerDirectory;
  readonly trustedProxies: AddressList;
}

export function observedCall(
  { route, request, arrival }: Exchange,
  { reply, rejectedAt, source, body, isAuthenticated = false, fault }: Undecided,
  { status, body: response }: WrittenResponse,
  { clock, partners, trustedProxies }: CallContext,
): ObservedCall {
  return {
    id: arrival.correlationId,
    at: arrival.at,
    businessTime: arrival.businessTime,
    method: request.method ?? "",
    target: request.url ?? "",
    rawHeaders: request.rawHeaders,
    body,
    fields: source?.request,
    address: callerAddress(request, trustedProxies),
    operation: route?.operation.name,
    partnerId: claimedPartner(request, partners),
    isAuthenticated,
    rejectedAt,
    rejection: reply === undefined || responseCases[reply.case].status < 300 ? undefined : reply,
    number: numberIn(reply, route?.operation),
    fault,
    status,
    responseCode: reply === undefined ? "" : responseCode(reply.case, route?.operation.code ?? noService),
    response,
    durationMs: clock.monotonic() - arrival.startedAt,
  };
}

function numberIn(reply: Reply | undefined, operation: OperationRow | undefined): string | undefined {
  if (reply?.fields === undefined || operation === undefined) return undefined;
  const { kind, about } = operation;
  const { number, tells, within } = about;
  const isChange = kind === "write" && within !== undefined;
  const found = reply.fields[isChange ? "originalReferenceNo" : (number ?? tells?.number ?? "")];
  return typeof found === "string" ? found : undefined;
}

function claimedPartner({ headers }: IncomingMessage, partners: PartnerDirectory): string | undefined {
  const { "x-partner-id": partnerId, "x-client-key": clientKey } = headers;
  if (typeof partnerId === "string") return partnerId;
  return typeof clientKey === "string" ? partners.byClientKey(clientKey)?.partnerId : undefined;
}
