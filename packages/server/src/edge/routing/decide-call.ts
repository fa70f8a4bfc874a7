/** Carries out a call that was checked, and logs what it is answered. */
import type { IncomingMessage } from "node:http";
import { responseCode } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import { type CallLog, shownClaim } from "../authentication/shown-claim.ts";
import type { Decision, Exchange } from "../http-exchange.ts";
import { isRejection, type RejectedCall, stepOfReply } from "../responses/rejected-call.ts";
import type { Route } from "./routes.ts";

interface OperationExchange extends Exchange {
  readonly route: Route;
}

/** State of a call before it is carried out. */
type Known = Omit<Decision, "reply">;

export async function decideCall(
  exchange: OperationExchange,
  call: Call | RejectedCall,
  known: Known,
  log: CallLog,
): Promise<Decision> {
  if (isRejection(call)) {
    logResponse(log, exchange, call.rejected);
    return { ...known, reply: call.rejected, rejectedAt: call.step };
  }
  try {
    const reply = await (exchange.route.handler ?? respondNotSupported)(call);
    logResponse(log, exchange, reply);
    if (reply.case !== "generalError" || reply.reason !== undefined) {
      return { ...known, reply, rejectedAt: stepOfReply(reply) };
    }
    return { ...known, ...failureOf(exchange, log, { call, reply }) };
  } catch (error) {
    return { ...known, ...failureOf(exchange, log, { call, error }) };
  }
}

interface Failure {
  readonly call?: Call;
  readonly reply?: Reply;
  readonly error?: unknown;
}

/** An internal error (spec D6): of it the response has only the correlation id, and the log a line. */
export function failureOf(
  { route, arrival: { correlationId } }: OperationExchange,
  log: CallLog,
  { call, reply, error }: Failure,
): Decision {
  const { externalId, partner } = call ?? {};
  const shownId = externalId && log.hide(externalId);
  const fields = { correlationId, externalId: shownId, partner: partner?.partnerId, operation: route.operation.name };
  const message = "A request failed and was answered 500xx00.";
  log.error("http.request_failed", message, error === undefined ? fields : { ...fields, error });
  return { reply: { case: "generalError", ...reply, reason: correlationId } };
}

/** Calls are logged at level debug only: all are counted, and recorded in the ledger. */
export function logResponse(log: CallLog, { route, request, arrival }: OperationExchange, reply: Reply): void {
  if (!log.isDebug) return;
  const externalId = textOf(request, "x-external-id");
  log.debug("http.request", "A request was answered.", {
    correlationId: arrival.correlationId,
    externalId: externalId && log.hide(externalId),
    partner: shownClaim(textOf(request, "x-partner-id") ?? "", log),
    operation: route.operation.name,
    responseCode: responseCode(reply.case, route.operation.code),
  });
}

function textOf({ headers }: IncomingMessage, name: string): string | undefined {
  const header = headers[name];
  return typeof header === "string" ? header : undefined;
}

const respondNotSupported: Handler = () => Promise.resolve({ case: "notSupported" });
