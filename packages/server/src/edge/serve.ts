/** From a request for an operation to its answer: method, body, checks, handler, bytes. Every request gets an answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { responseCode } from "@titian/contract";
import type { Call, Handler, Reply } from "../call.ts";
import { newCorrelationId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Answer, EchoSource } from "./answer.ts";
import type { BodyBudget } from "./body-budget.ts";
import { checkCall } from "./check-call.ts";
import { announcesTooMuch, readBody } from "./read-body.ts";
import { isRefusal } from "./refusal.ts";
import type { Route } from "./routes.ts";
import type { Sender } from "./send.ts";
import { answerTokenCall, type TokenContext } from "./token-service.ts";

interface ServeContext extends TokenContext {
  readonly log: Log;
  readonly sender: Sender;
  readonly bodyBudget: BodyBudget;
}

export type Serve = (route: Route, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const notSupported: Reply = { case: "notSupported" };
const tooLarge: Reply = { case: "badRequest", reason: "Body too large" };
const noRoomForBody: Reply = { case: "serviceUnavailable", retryAfter: 1, echo: false };
const allowPost = ["Allow", "POST"];
const closeConnection = ["Connection", "close"];

export function createServe(context: ServeContext): Serve {
  const { sender } = context;
  return async (route, request, response) => {
    // 1: method
    if (request.method !== "POST") {
      return sender.send(response, route.answers.write(notSupported, undefined, allowPost));
    }

    // 2: body size. Who asks before sending is told at once.
    if (request.headers.expect !== undefined && announcesTooMuch(request, route.bodyLimit)) {
      return sender.send(response, route.answers.write(tooLarge, undefined, closeConnection));
    }
    const body = await readBody(request, route.bodyLimit, context.bodyBudget);
    if (body === "aborted") return;
    if (body === "noRoom") return sender.send(response, route.answers.write(noRoomForBody));
    if (body === "tooLarge") {
      return sender.send(response, route.answers.write(tooLarge, undefined, request.complete ? [] : closeConnection));
    }

    // 3 to 14
    sender.send(response, await answerBody(route, request, body, context));
  };
}

async function answerBody(
  route: Route,
  request: IncomingMessage,
  body: Buffer,
  context: ServeContext,
): Promise<Answer> {
  let call: Call | undefined;
  try {
    if (route.operation.kind === "token") return await answerTokenCall(route, request, body, context);
    const checked = await checkCall(route, request, body, context);
    if (isRefusal(checked)) {
      logAnswer(context.log, route, request, checked.refused);
      return route.answers.write(checked.refused, checked.source);
    }
    call = checked;
    const reply = await (route.handler ?? answerNotSupported)(call);
    logAnswer(context.log, route, request, reply);
    if (reply.case !== "generalError" || reply.reason !== undefined) return route.answers.write(reply, call);
    logFailure(context.log, route, call.correlationId, call);
    return writeFailure(route, call.correlationId, reply, call);
  } catch (error) {
    const correlationId = call?.correlationId ?? newCorrelationId();
    logFailure(context.log, route, correlationId, call, error);
    return writeFailure(route, correlationId, { case: "generalError" }, call);
  }
}

/** The only line that has the correlation id the caller was told. */
function logFailure(
  log: Log,
  { operation }: Route,
  correlationId: string,
  call: Call | undefined,
  error?: unknown,
): void {
  const { externalId, partner } = call ?? {};
  const fields = { correlationId, externalId, partner: partner?.partnerId, operation: operation.name };
  log.error("A call failed; it was answered 500xx00.", error === undefined ? fields : { ...fields, error });
}

/** Our own failure (decision D6): the correlation id is in the message and in a header, nothing else is told. */
function writeFailure(route: Route, correlationId: string, reply: Reply, source: EchoSource | undefined): Answer {
  return route.answers.write({ ...reply, reason: correlationId }, source, ["X-CORRELATION-ID", correlationId]);
}

/** Calls are logged for those who debug only: every one of them is counted, and its record is in the ledger. */
function logAnswer(log: Log, { operation }: Route, { headers }: IncomingMessage, reply: Reply): void {
  if (!log.isDebug) return;
  log.debug("Answered.", {
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
