/** Serves a request for an operation: method, body, checks, handler, response. Every request gets a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../call.ts";
import type { Log } from "../observability/log.ts";
import { addressShare, callerAddress } from "./connections/address-list.ts";
import { type AuthenticationFailures, isAuthenticationFailure } from "./authentication/authentication-failures.ts";
import type { BodyBudget, BodyOwner } from "./connections/body-budget.ts";
import { checkCall } from "./check-call.ts";
import { checkHead } from "./check-head.ts";
import type { Connection } from "./connections/connection.ts";
import type { Connections } from "./connections/connections.ts";
import { announcesTooMuch, discardBody, discardOrCut, readBody } from "./connections/read-body.ts";
import { decideCall, failureOf, logAnswer } from "./decide-call.ts";
import { arrivalNow, type Deciding, type Decision, type Exchange } from "./exchange.ts";
import { answerWithFault } from "./faults.ts";
import type { FaultInjection } from "./hooks.ts";
import { isRejection, type RejectedCall } from "./rejection.ts";
import type { Responder } from "./responder.ts";
import { type Route, targetOf } from "./routes.ts";
import { checkTokenHead, decideTokenCall, type TokenContext } from "./authentication/token-service.ts";

interface ServeContext extends TokenContext {
  readonly log: Log;
  readonly responder: Responder;
  readonly bodyBudget: BodyBudget;
  readonly connections: Connections;
  readonly failures: AuthenticationFailures;
  readonly faults: FaultInjection | undefined;
}

export type Serve = (
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
const tooLarge: Reply = { case: "badRequest", reason: "Body too large" };
const noRoomForBody: Decision = { reply: { case: "serviceUnavailable", retryAfter: 1, echo: false }, rejectedAt: 2 };
const wrongMethod: Decision = { reply: notSupported, rejectedAt: 1, headers: ["Allow", "POST"] };
const closeConnection = ["Connection", "close"];
const noHeaders: readonly string[] = [];

export function createServe(context: ServeContext): Serve {
  const { responder } = context;
  return async (route, request, response, connection) => {
    const exchange = { route, request, response, connection, arrival: arrivalNow(context.clock) };
    // 1: method
    if (request.method !== "POST") return responder.inTurn(exchange, wrongMethod);
    // 2: announced size
    if (announcesTooMuch(request, route.bodyLimit)) return answerTooLarge(exchange, responder.inTurn);

    // 3 to 14
    try {
      if (route.operation.kind === "token") await serveTokenCall(exchange, context);
      else await serveCall(exchange, context);
    } catch (error) {
      responder.atOnce(exchange, failureOf(exchange, context.log, { error }));
    }
  };
}

async function serveCall(exchange: OperationExchange, context: ServeContext): Promise<void> {
  const { route, request, connection, arrival } = exchange;
  const { responder } = context;
  // 3 to 6: the body is not read unless the headers are valid.
  const head = await checkHead(request, context);
  if (isRejection(head)) return reject(exchange, head, undefined, context);
  const { partner } = head;
  // A token says whose body it is; in mode 2 so does an address on the partner's list, where no stranger calls from.
  const hasToken = head.token !== undefined;
  const isPartners = hasToken || partner.addresses.length > 0;
  const owner = isPartners ? { partnerKey: partner.key } : addressOf(request, context);
  const body = await receiveBody(exchange, owner, context, hasToken ? answerPartner(context) : responder.inTurn);
  if (body === undefined) return;

  const { operation } = route;
  const call = checkCall(
    { operation, target: targetOf(request), body, correlationId: arrival.correlationId },
    head,
    context,
  );
  if (isRejection(call) && isAuthenticationFailure(call.rejected)) return reject(exchange, call, body, context);
  const headers = context.connections.claim(connection, partner.key) ? noHeaders : closeConnection;
  const known = { body, headers, source: isRejection(call) ? call.source : call, isAuthenticated: true };
  const decide = () => decideCall(exchange, call, known, context.log);
  await answerAuthenticated(exchange, partner.key, { known, decide }, context);
}

async function serveTokenCall(exchange: OperationExchange, context: ServeContext): Promise<void> {
  const { route, request, connection } = exchange;
  const head = checkTokenHead(request, context);
  if (isRejection(head)) return reject(exchange, head, undefined, context);
  const { partner } = head;
  const body = await receiveBody(exchange, { partnerKey: partner.key }, context, answerPartner(context));
  if (body === undefined) return;
  const closing = context.connections.claim(connection, partner.key) ? noHeaders : closeConnection;
  const known = { body, headers: [...head.headers, ...closing], isAuthenticated: true };
  const decide = async () => ({ ...(await decideTokenCall(route.operation, head, body, context)), ...known });
  await answerAuthenticated(exchange, partner.key, { known, decide }, context);
}

async function answerAuthenticated(
  exchange: OperationExchange,
  partnerKey: string,
  { known, decide }: Deciding,
  { faults, responder }: ServeContext,
): Promise<void> {
  const found = faults?.faultFor(partnerKey, exchange.route.operation.name);
  const fault = found === undefined ? undefined : await found;
  if (fault === undefined) responder.atOnce(exchange, await decide());
  else await answerWithFault(fault, exchange, { known, decide }, responder);
}

type AnswerBody = (exchange: Exchange, decision: Decision) => void;

/** The body, or undefined when the exchange has ended without one. */
async function receiveBody(
  exchange: OperationExchange,
  owner: BodyOwner,
  context: ServeContext,
  answer: AnswerBody,
): Promise<Buffer | undefined> {
  const { route, request, response } = exchange;
  if (awaitsContinue(request)) response.writeContinue();
  const body = await readBody(request, route.bodyLimit, context.bodyBudget.share(owner));
  if (body === "tooLarge") await answerTooLarge(exchange, answer);
  else if (body === "noRoom") answer(exchange, noRoomForBody);
  return Buffer.isBuffer(body) ? body : undefined;
}

/** Whether the caller waits for 100 Continue before it sends its body. */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === "1.1" && /^100-continue$/i.test(headers.expect);
}

/** A caller that sends the whole body first gets its response after that; one that expects 100 Continue at once. */
async function answerTooLarge(exchange: OperationExchange, answer: AnswerBody): Promise<void> {
  const { route, request } = exchange;
  const isWhole = request.headers.expect === undefined && (await discardBody(request, route.bodyLimit));
  if (request.destroyed && !isWhole) return;
  answer(exchange, { reply: tooLarge, rejectedAt: 2, headers: isWhole ? noHeaders : closeConnection });
}

/** Answers a partner whose token was verified: it does not wait for others at its address. */
function answerPartner({ responder }: ServeContext): AnswerBody {
  return (exchange, decision) => {
    void discardOrCut(exchange.request, exchange.route?.bodyLimit ?? 0);
    responder.atOnce(exchange, decision);
  };
}

function reject(
  exchange: OperationExchange,
  { rejected, step, source, headers }: RejectedCall,
  body: Buffer | undefined,
  { failures, log, responder }: ServeContext,
): void {
  failures.note(exchange.request, rejected, exchange.arrival.correlationId);
  logAnswer(log, exchange, rejected);
  responder.inTurn(exchange, { reply: rejected, rejectedAt: step, source, headers, body });
}

function addressOf(request: IncomingMessage, { trustedProxies }: ServeContext): BodyOwner {
  return { address: addressShare(callerAddress(request, trustedProxies)) };
}
