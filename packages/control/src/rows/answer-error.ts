/** Answers a control call that failed. */
import { AdminError, isDatabaseAway } from "@titian/server/admin";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ControlError, errorBody } from "../control-error.ts";
import { bodyLimit } from "./serve-calls.ts";

/** Fields of a failure for the log. */
export interface CallFailure {
  readonly correlationId: string;
  readonly method: string;
  readonly path: string | undefined;
  readonly error: unknown;
}

/** `report`: told of what is no fault of the caller's. */
export function answerError(
  report: (failure: CallFailure) => void,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof ControlError) {
    if (error.status === 401) reply.header("WWW-Authenticate", "Bearer");
    return reply.code(error.status).send(error.body);
  }
  if (isForeignForm(error)) return reply.code(foreignForm.status).send(foreignForm.body);
  const status = statusOf(error);
  if (status === 413) return reply.code(status).send(errorBody("badRequest", tooLarge));
  if (status < 500) return reply.code(status).send(errorBody("badRequest", "The request cannot be read."));
  const { id: correlationId, method, routeOptions } = request;
  report({ correlationId, method, path: routeOptions.url, error });
  if (error instanceof AdminError) return reply.code(503).send(errorBody("unavailable", error.message));
  if (isDatabaseAway(error)) return reply.code(503).send(errorBody("unavailable", databaseAway));
  return reply.code(500).send(errorBody("internal", `The call failed; the log has it under ${correlationId}.`));
}

const tooLarge = `The body of a call has at most ${bodyLimit} bytes.`;

const foreignForm = new ControlError(
  403,
  "csrfTokenMissing",
  "A call that acts by the cookie carries the csrfToken of GET /operators/me in the header csrf-token.",
  "csrf-token",
);

/** The errors of the library that checks the token. */
function isForeignForm(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("FST_CSRF_");
}

const databaseAway =
  "The database does not answer. Whether the call took effect is unknown: look when it answers again, or repeat the call.";

/** Fastify's own rejections carry the status they stand for. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return 500;
  return typeof error.statusCode === "number" ? error.statusCode : 500;
}
