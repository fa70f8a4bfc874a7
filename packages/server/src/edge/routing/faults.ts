/** Answers calls with faults on purpose: a sandbox's partner asks for them, to try what its software does then. */
import type { ServerResponse } from "node:http";
import type { Reply } from "../../interfaces/call.ts";
import type { Deciding, Exchange } from "../http-exchange.ts";
import type { Fault, FaultKind } from "../call-hooks.ts";
import type { Responder } from "../responses/respond-to-call.ts";

/** Replies to calls that are not carried out, by fault. */
const errorReplies: Readonly<Partial<Record<FaultKind, Reply>>> = {
  error500: { case: "generalError" },
  error503: { case: "serviceUnavailable", retryAfter: 1 },
  error429: { case: "tooManyRequests", retryAfter: 1 },
};

/** Answers a call as its fault says, or cuts its connection. */
export async function respondWithFault(
  { kind: fault, delayMs }: Fault,
  exchange: Exchange,
  { known, decide }: Deciding,
  responder: Responder,
): Promise<void> {
  if (fault === "breakOff") return responder.cut(exchange, { ...known, fault });
  const error = errorReplies[fault];
  if (error !== undefined) {
    const reply = fault === "error500" ? { ...error, reason: exchange.arrival.correlationId } : error;
    return responder.atOnce(exchange, { ...known, reply, fault });
  }
  const decision = { ...(await decide()), fault };
  if (fault === "loseAnswer") return responder.cut(exchange, decision);
  await waitWithCaller(exchange.response, delayMs);
  responder.atOnce(exchange, decision);
}

/** Resolves after so many milliseconds, or when the caller has left. */
function waitWithCaller(response: ServerResponse, ms: number): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      response.off("close", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.once("close", end);
  });
}
