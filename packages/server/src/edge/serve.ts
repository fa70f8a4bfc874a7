/** Serves a request for an operation: method, body, checks, handler, response. Every request gets a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { responseCode } from "@titian/contract";
import type { Call, Handler, Reply } from "../call.ts";
import { newCorrelationId } from "../ids.ts";
import type { Log } from "../observability/log.ts";
import { addressShare, callerAddress } from "./connections/address-list.ts";
import type { Answer, EchoSource } from "./answer.ts";
import { type AuthenticationFailures, isAuthenticationFailure } from "./authentication/authentication-failures.ts";
import type { BodyBudget, BodyOwner } from "./connections/body-budget.ts";
import { checkCall } from "./check-call.ts";
import { checkHead } from "./check-head.ts";
import type { Connection } from "./connections/connection.ts";
import type { Connections } from "./connections/connections.ts";
import type { Pacer } from "./connections/pacer.ts";
import { announcesTooMuch, discardBody, discardOrCut, readBody } from "./connections/read-body.ts";
import { isRejection, type RejectedCall } from "./rejection.ts";
import { type Route, targetOf } from "./routes.ts";
import type { ResponseSender } from "./respond.ts";
import { answerTokenCall, checkTokenHead, type TokenContext } from "./authentication/token-service.ts";

interface ServeContext extends TokenContext {
  readonly log: Log;
  readonly sender: ResponseSender;
  readonly bodyBudget: BodyBudget;
  readonly pacer: Pacer;
  readonly connections: Connections;
  readonly failures: AuthenticationFailures;
}

export type Serve = (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => Promise<void>;

interface Exchange {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** When its head was read (monotonic). */
  readonly startedAt: number;
}

const notSupported: Reply = { case: "notSupported" };
const tooLarge: Reply = { case: "badRequest", reason: "Body too large" };
const noRoomForBody: Reply = { case: "serviceUnavailable", retryAfter: 1, echo: false };
const allowPost = ["Allow", "POST"];
const closeConnection = ["Connection", "close"];
const noHeaders: readonly string[] = [];

export function createServe(context: ServeContext): Serve {
  return async (route, request, response, connection) => {
    const exchange = { route, request, response, connection, startedAt: context.clock.monotonic() };
    // 1: method
    if (request.method !== "POST") {
      return answerUnauthenticated(exchange, route.answers.write(notSupported, undefined, allowPost), context);
    }
    // 2: announced size
    if (announcesTooMuch(request, route.bodyLimit)) return answerTooLarge(exchange, context);

    // 3 to 14
    try {
      if (route.operation.kind === "token") await serveTokenCall(exchange, context);
      else await serveCall(exchange, context);
    } catch (error) {
      const correlationId = newCorrelationId();
      logFailure(context.log, route, correlationId, undefined, error);
      respond(exchange, writeFailure(route, correlationId, { case: "generalError" }, undefined), context);
    }
  };
}

async function serveCall(exchange: Exchange, context: ServeContext): Promise<void> {
  const { route, request, connection } = exchange;
  // 3 to 6: the body is not read unless the headers are valid.
  const head = await checkHead(request, context);
  if (isRejection(head)) return reject(exchange, head, context);
  const { partner } = head;
  // A token says whose body it is; in mode 2 so does an address on the partner's list, where no stranger calls from.
  const hasToken = head.token !== undefined;
  const isPartners = hasToken || partner.addresses.length > 0;
  const owner = isPartners ? { partnerKey: partner.key } : addressOf(request, context);
  const body = await receiveBody(exchange, owner, context, hasToken ? answerPartner : answerUnauthenticated);
  if (body === undefined) return;

  const call = checkCall(route, targetOf(request), head, body, context);
  if (isRejection(call) && isAuthenticationFailure(call.rejected)) return reject(exchange, call, context);
  const headers = context.connections.claim(connection, partner.key) ? noHeaders : closeConnection;
  if (!isRejection(call)) return respond(exchange, await answerCall(route, request, call, headers, context), context);
  logAnswer(context.log, route, request, call.rejected);
  respond(exchange, route.answers.write(call.rejected, call.source, headers), context);
}

async function serveTokenCall(exchange: Exchange, context: ServeContext): Promise<void> {
  const { route, request, connection } = exchange;
  const head = checkTokenHead(request, context);
  if (isRejection(head)) return reject(exchange, head, context);
  const body = await receiveBody(exchange, { partnerKey: head.partner.key }, context, answerPartner);
  if (body === undefined) return;
  const closing = context.connections.claim(connection, head.partner.key) ? noHeaders : closeConnection;
  const headers = [...head.headers, ...closing];
  respond(exchange, await answerTokenCall(route, { ...head, headers }, body, context), context);
}

/** The body, or undefined when the exchange has ended without one. */
async function receiveBody(
  exchange: Exchange,
  owner: BodyOwner,
  context: ServeContext,
  answer: typeof answerPartner,
): Promise<Buffer | undefined> {
  const { route, request, response } = exchange;
  if (awaitsContinue(request)) response.writeContinue();
  const body = await readBody(request, route.bodyLimit, context.bodyBudget.share(owner));
  if (body === "tooLarge") await answerTooLarge(exchange, context, answer);
  else if (body === "noRoom") answer(exchange, route.answers.write(noRoomForBody), context);
  return Buffer.isBuffer(body) ? body : undefined;
}

/** Whether the caller waits for 100 Continue before it sends its body. */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === "1.1" && /^100-continue$/i.test(headers.expect);
}

/** A caller that sends the whole body first gets its response after that; one that expects 100 Continue at once. */
async function answerTooLarge(
  exchange: Exchange,
  context: ServeContext,
  answer = answerUnauthenticated,
): Promise<void> {
  const { route, request } = exchange;
  const isWhole = request.headers.expect === undefined && (await discardBody(request, route.bodyLimit));
  if (request.destroyed && !isWhole) return;
  const headers = isWhole ? noHeaders : closeConnection;
  answer(exchange, route.answers.write(tooLarge, undefined, headers), context);
}

/** Answers an unauthenticated caller, in the order and at the pace of its address. */
function answerUnauthenticated({ route, request, response }: Exchange, answer: Answer, context: ServeContext): void {
  context.pacer.run(request, () => context.sender.send(response, answer), { bodyLimit: route.bodyLimit });
}

/** Answers an authenticated partner: it does not wait for others at its address. */
function answerPartner(exchange: Exchange, answer: Answer, context: ServeContext): void {
  void discardOrCut(exchange.request, exchange.route.bodyLimit);
  respond(exchange, answer, context);
}

/** Sends at once, and measures the duration. Responses to unauthenticated callers are not measured: they are paced. */
function respond({ route, response, startedAt }: Exchange, answer: Answer, { sender, clock }: ServeContext): void {
  sender.send(response, answer);
  route.durations.observe((clock.monotonic() - startedAt) / 1_000);
}

function reject(exchange: Exchange, { rejected, source, headers }: RejectedCall, context: ServeContext): void {
  const { route, request } = exchange;
  context.failures.note(request, rejected);
  logAnswer(context.log, route, request, rejected);
  answerUnauthenticated(exchange, route.answers.write(rejected, source, headers), context);
}

function addressOf(request: IncomingMessage, { trustedProxies }: ServeContext): BodyOwner {
  return { address: addressShare(callerAddress(request, trustedProxies)) };
}

async function answerCall(
  route: Route,
  request: IncomingMessage,
  call: Call,
  headers: readonly string[],
  { log }: ServeContext,
): Promise<Answer> {
  try {
    const reply = await (route.handler ?? answerNotSupported)(call);
    logAnswer(log, route, request, reply);
    if (reply.case !== "generalError" || reply.reason !== undefined) return route.answers.write(reply, call, headers);
    logFailure(log, route, call.correlationId, call);
    return writeFailure(route, call.correlationId, reply, call);
  } catch (error) {
    logFailure(log, route, call.correlationId, call, error);
    return writeFailure(route, call.correlationId, { case: "generalError" }, call);
  }
}

/** The only line with the correlation id of the response. */
function logFailure(
  log: Log,
  { operation }: Route,
  correlationId: string,
  call: Call | undefined,
  error?: unknown,
): void {
  const { externalId, partner } = call ?? {};
  const fields = { correlationId, externalId, partner: partner?.partnerId, operation: operation.name };
  const message = "A request failed and was answered 500xx00.";
  log.error("http.request_failed", message, error === undefined ? fields : { ...fields, error });
}

/** An internal error (spec D6): the response has only the correlation id, in the message and in a header. */
function writeFailure(route: Route, correlationId: string, reply: Reply, source: EchoSource | undefined): Answer {
  return route.answers.write({ ...reply, reason: correlationId }, source, ["X-CORRELATION-ID", correlationId]);
}

/** Calls are logged at level debug only: all are counted, and recorded in the ledger. */
function logAnswer(log: Log, { operation }: Route, { headers }: IncomingMessage, reply: Reply): void {
  if (!log.isDebug) return;
  log.debug("http.request", "A request was answered.", {
    externalId: textOf(headers["x-external-id"]),
    partner: textOf(headers["x-partner-id"]),
    operation: operation.name,
    responseCode: responseCode(reply.case, operation.code),
  });
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

const answerNotSupported: Handler = () => Promise.resolve(notSupported);
