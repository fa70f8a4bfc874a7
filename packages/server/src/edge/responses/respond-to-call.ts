/** Answers calls: writes what was decided, shows it to an observer, sends it in the order of its caller. */
import type { Clock } from "../../basics/clock.ts";
import type { Log } from "../../observability/log.ts";
import type { WrittenResponse } from "./response-form.ts";
import type { PartnerDirectory } from "../partner-directory.ts";
import { bareResponse } from "./bare-envelope.ts";
import type { AddressList } from "../connections/address-list.ts";
import type { Pacer } from "../connections/pacer.ts";
import { explanationLeftOut, withDebugMessage } from "./debug-message.ts";
import type { Decision, Exchange, Undecided } from "../http-exchange.ts";
import type { CallHooks } from "../call-hooks.ts";
import { observedCall } from "./observed-call.ts";
import type { ResponseSender } from "./response-sender.ts";

export interface Responder {
  /** Answers an unauthenticated caller, in the order and at the pace of its address. */
  inTurn(exchange: Exchange, decision: Decision): void;
  /** Answers at once, and measures the duration. Unauthenticated callers' are not measured: they are paced. */
  atOnce(exchange: Exchange, decision: Decision): void;
  /** Cuts the connection instead of a response. Without a reply the call was not carried out. */
  cut(exchange: Exchange, decision: Undecided): void;
}

export interface ResponderDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly sender: ResponseSender;
  readonly pacer: Pacer;
  readonly partners: PartnerDirectory;
  readonly trustedProxies: AddressList;
  readonly hooks: CallHooks;
}

type Send = (exchange: Exchange, written: WrittenResponse) => void;

/** Explanations under way at once, and the bytes of their calls' bodies: a caller that comes while there are more gets none. */
const explainingMax = 32;
const explainingBytesMax = 16_777_216;
const explainWithinMs = 1_000;
const noResponse: WrittenResponse = { status: 0, body: "", headers: [] };

export function createResponder(deps: ResponderDeps): Responder {
  const { clock, log, sender, pacer, hooks } = deps;
  const { observer, explain } = hooks;
  let explaining = 0;
  let explainingBytes = 0;

  function conclude(exchange: Exchange, decision: Decision, send: Send): void {
    if (explain === undefined || decision.rejectedAt === undefined || !isDebug(exchange)) {
      return finish(exchange, decision, send);
    }
    const bytes = decision.body?.length ?? 0;
    if (explaining >= explainingMax || explainingBytes + bytes > explainingBytesMax) {
      return finish(exchange, withDebugMessage(decision, explanationLeftOut), send);
    }
    explaining += 1;
    explainingBytes += bytes;
    const askedAt = clock.monotonic();
    const explanation = explain(observedCall(exchange, decision, noResponse, deps)).finally(() => {
      explaining -= 1;
      explainingBytes -= bytes;
    });
    within(explainWithinMs, explanation, (error) => observationFailed(exchange, error))
      .then((message) => {
        const explained = message === undefined ? decision : withDebugMessage(decision, message);
        finish(startedLater(exchange, clock.monotonic() - askedAt), explained, send);
      })
      .catch((error: unknown) => {
        const { correlationId } = exchange.arrival;
        log.error("http.response_failed", "A response could not be sent.", { correlationId, error });
        exchange.response.destroy();
      });
  }

  function finish(exchange: Exchange, decision: Decision, send: Send): void {
    const written = write(exchange, decision);
    observe(exchange, decision, written);
    send(exchange, written);
  }

  function observe(exchange: Exchange, decision: Undecided, written: WrittenResponse): void {
    if (observer === undefined) return;
    try {
      observer.answered(observedCall(exchange, decision, written, deps));
    } catch (error) {
      observationFailed(exchange, error);
    }
  }

  function observationFailed({ arrival: { correlationId } }: Exchange, error: unknown): void {
    log.error("http.observer_failed", "The observer of calls failed; the call was answered.", { correlationId, error });
  }

  const sendInTurn: Send = ({ request, response, arrival: { correlationId } }, written) =>
    pacer.run(request, () => sender.send(response, written, correlationId));
  const sendAtOnce: Send = ({ route, response, arrival: { correlationId, startedAt } }, written) => {
    sender.send(response, written, correlationId);
    route?.durations.observe((clock.monotonic() - startedAt) / 1_000);
  };

  return {
    inTurn: (exchange, decision) => conclude(exchange, decision, sendInTurn),
    atOnce: (exchange, decision) => conclude(exchange, decision, sendAtOnce),
    cut(exchange, { reply, ...decision }) {
      if (reply === undefined) observe(exchange, decision, noResponse);
      else observe(exchange, { ...decision, reply }, write(exchange, { ...decision, reply }));
      exchange.request.socket.destroy();
    },
  };
}

function write({ route }: Exchange, decision: Decision): WrittenResponse {
  return route === undefined
    ? bareResponse(decision)
    : route.responseForm.write(decision.reply, decision.source, decision.headers);
}

/** The wait for an explanation is no part of a call's duration. */
function startedLater(exchange: Exchange, ms: number): Exchange {
  const { arrival } = exchange;
  return { ...exchange, arrival: { ...arrival, startedAt: arrival.startedAt + ms } };
}

function isDebug({ request }: Exchange): boolean {
  return request.headers["x-debug-mode"] === "true";
}

/** The message; undefined when it fails, and another when it is late. */
function within(
  ms: number,
  promise: Promise<string | undefined>,
  onError: (error: unknown) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(explanationLeftOut), ms);
    promise.then(resolve, (error: unknown) => {
      onError(error);
      resolve(undefined);
    });
    promise.finally(() => clearTimeout(timer)).catch(() => undefined);
  });
}
