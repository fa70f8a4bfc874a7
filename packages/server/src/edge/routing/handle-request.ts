/** Serves a request for an operation: method, body, checks, handler, response. Every request gets a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../../interfaces/call.ts";
import { addressShare, callerAddress } from "../connections/address-list.ts";
import type { AuthenticationFailures } from "../authentication/authentication-failures.ts";
import type { BodyBudget, BodyOwner } from "../connections/bodies/body-budget.ts";
import { checkCall } from "../checks/check-call.ts";
import { checkHead, type Head } from "../checks/check-head.ts";
import type { Connection } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { announcesTooMuch, readBody } from "../connections/bodies/read-body.ts";
import { decideCall, failureOf, logResponse } from "./decide-call.ts";
import { arrivalNow, type Deciding, type Decision, type Exchange } from "../http-exchange.ts";
import { respondWithFault } from "./faults.ts";
import type { FaultInjection } from "../call-hooks.ts";
import { isRejection, type RejectedCall } from "../responses/rejected-call.ts";
import type { Responder } from "../responses/respond-to-call.ts";
import { type Route, targetOf } from "./routes.ts";
import type { CallLog } from "../authentication/shown-claim.ts";
import { checkTokenHead, decideTokenCall, type TokenContext } from "./token-service.ts";

interface RequestHandlerContext extends TokenContext {
  readonly log: CallLog;
  readonly responder: Responder;
  readonly bodyBudget: BodyBudget;
  readonly connections: Connections;
  readonly failures: AuthenticationFailures;
  readonly faults: FaultInjection | undefined;
}

export type RequestHandler = (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => Promise<void>;

interface OperationExchange extends Exchange {
  readonly route: Route;
  readonly connection: Connection;
}

const notSupported: Reply = { case: "notSupported" };
const tooLarge: Decision = { reply: { case: "badRequest", reason: "Body too large" }, rejectedAt: 2 };
const noCapacityForBody: Decision = {
  reply: { case: "serviceUnavailable", retryAfter: 1, echo: false },
  rejectedAt: 2,
};
const wrongMethod: Decision = { reply: notSupported, rejectedAt: 1, headers: ["Allow", "POST"] };
const closeConnection = ["Connection", "close"];
const noHeaders: readonly string[] = [];

export function createRequestHandler(context: RequestHandlerContext): RequestHandler {
  const { responder } = context;
  return async (route, request, response, connection) => {
    const exchange = { route, request, response, connection, arrival: arrivalNow(context.clock) };
    // 1: method
    if (request.method !== "POST") return responder.inTurn(exchange, wrongMethod);
    // 2: announced size
    if (announcesTooMuch(request, route.bodyLimit)) return responder.inTurn(exchange, tooLarge);

    // 3 to 14
    try {
      if (route.operation.kind === "token") await handleTokenCall(exchange, context);
      else await handleCall(exchange, context);
    } catch (error) {
      responder.atOnce(exchange, failureOf(exchange, context.log, { error }));
    }
  };
}

async function handleCall(exchange: OperationExchange, context: RequestHandlerContext): Promise<void> {
  const { route, request, connection, arrival } = exchange;
  const { responder } = context;
  // 3 to 6: the body is not read unless the headers are valid.
  const head = await checkHead(request, context);
  if (isRejection(head)) return reject(exchange, head, undefined, context);
  const { partner } = head;
  const hasToken = head.token !== undefined;
  const owner = ownerOf(exchange, head, context);
  const body = await receiveBody(exchange, owner, context, hasToken ? responder.atOnce : responder.inTurn);
  if (body === undefined) return;

  const { operation } = route;
  const call = checkCall(
    { operation, target: targetOf(request), body, correlationId: arrival.correlationId },
    head,
    context,
  );
  // Not verified, whatever the response is: also where a secret of ours does not open.
  if (isRejection(call) && call.step === 7) return reject(exchange, call, body, context);
  const headers = context.connections.claim(connection, partner.key) ? noHeaders : closeConnection;
  const known = { body, headers, source: isRejection(call) ? call.source : call, isAuthenticated: true };
  const decide = () => decideCall(exchange, call, known, context.log);
  await respondToAuthenticated(exchange, partner.key, { known, decide }, context);
}

async function handleTokenCall(exchange: OperationExchange, context: RequestHandlerContext): Promise<void> {
  const { route, request, connection } = exchange;
  const head = checkTokenHead(request, context);
  if (isRejection(head)) return reject(exchange, head, undefined, context);
  const { partner } = head;
  const body = await receiveBody(exchange, { partnerKey: partner.key }, context, context.responder.atOnce);
  if (body === undefined) return;
  const closing = context.connections.claim(connection, partner.key) ? noHeaders : closeConnection;
  const known = { body, headers: [...head.headers, ...closing], isAuthenticated: true };
  const decide = async () => ({ ...(await decideTokenCall(route.operation, head, body, context)), ...known });
  await respondToAuthenticated(exchange, partner.key, { known, decide }, context);
}

async function respondToAuthenticated(
  exchange: OperationExchange,
  partnerKey: string,
  { known, decide }: Deciding,
  { faults, responder }: RequestHandlerContext,
): Promise<void> {
  const found = faults?.faultFor(partnerKey, exchange.route.operation.name);
  const fault = found === undefined ? undefined : await found;
  if (fault === undefined) responder.atOnce(exchange, await decide());
  else await respondWithFault(fault, exchange, { known, decide }, responder);
}

type RespondToBody = (exchange: Exchange, decision: Decision) => void;

/** The body, or undefined when the exchange has ended without one. */
async function receiveBody(
  exchange: OperationExchange,
  owner: BodyOwner,
  context: RequestHandlerContext,
  respond: RespondToBody,
): Promise<Buffer | undefined> {
  const { route, request, response } = exchange;
  if (awaitsContinue(request)) response.writeContinue();
  const body = await readBody(request, route.bodyLimit, (size, evict) => context.bodyBudget.share(owner, size, evict));
  if (body === "tooLarge") respond(exchange, tooLarge);
  else if (body === "noCapacity") respond(exchange, noCapacityForBody);
  return Buffer.isBuffer(body) ? body : undefined;
}

/** True when the caller waits for 100 Continue before it sends its body. */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === "1.1" && /^100-continue$/i.test(headers.expect);
}

function reject(
  exchange: OperationExchange,
  { rejected, step, source, headers }: RejectedCall,
  body: Buffer | undefined,
  { failures, log, responder }: RequestHandlerContext,
): void {
  failures.note(exchange.request, rejected, exchange.arrival.correlationId);
  logResponse(log, exchange, rejected);
  responder.inTurn(exchange, { reply: rejected, rejectedAt: step, source, headers, body });
}

/** Owner of the share that a body fills: a partner only if a token, or an earlier call on the connection, proves it. */
function ownerOf(
  { request, connection }: OperationExchange,
  { partner, token }: Head,
  { connections, trustedProxies }: RequestHandlerContext,
): BodyOwner {
  const { key, addresses } = partner;
  if (token !== undefined || connections.partnerOf(connection) === key) return { partnerKey: key };
  if (addresses.length > 0) return { listedFor: key };
  return { address: addressShare(callerAddress(request, trustedProxies)) };
}
