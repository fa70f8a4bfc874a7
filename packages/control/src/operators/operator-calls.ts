/** Calls of operators about themselves and their sessions. */
import { array, boolean, choice, object, optional, string } from "@titian/contract";
import {
  asOperator,
  endOperatorSession,
  listOperatorSessions,
  type SecurityLog,
  type StatementPool,
  time,
} from "@titian/server/admin";
import type { FastifyReply } from "fastify";
import { ControlError } from "../control-error.ts";
import { defineCall, type Role } from "../rows/define-call.ts";
import { limit, limitOf } from "../rows/pages.ts";
import type { CallingOperator } from "../sessions/operator.ts";
import { sessionCookie, sessionCookieOptions } from "./cookies.ts";
import type { Issuer } from "./issuer.ts";
import { identityOf } from "./open-session.ts";

export interface OperatorCallsDeps {
  readonly database: StatementPool;
  readonly security: SecurityLog | undefined;
  readonly caller: CallingOperator;
  /** Routes of the calls at `/control` that act and that an operator of these roles makes. */
  readonly actsOf: (roles: readonly Role[]) => readonly string[];
  readonly issuer: Pick<Issuer, "findEndOfSession">;
}

const whose = {
  issuer: string({ description: "of the identity provider; with subject it is one person" }),
  subject: string(),
  name: string(),
};
const cameBy = choice(["console", "cli", "breakGlass"]);
const ended = object({ ended: boolean({ description: "false: it had ended before" }) });

export const operatorCalls = [
  defineCall({
    name: "operator me",
    route: "GET /me",
    role: "viewer",
    does: "The operator who calls, with the calls that act and that his or her roles make, and the token that such a call by the cookie carries in the header csrf-token.",
    answer: object({
      ...whose,
      roles: array(string()),
      acts: array(string(), { description: "such as POST /switches/{name}/close; the database decides once more" }),
      hasSecondFactor: boolean(),
      sessionId: string(),
      expiresAt: time({ description: "real time; earlier when the session is not used for 30 minutes" }),
      csrfToken: optional(string()),
    }),
    run: (_input, { caller, actsOf }: OperatorCallsDeps, { reply }) => ({
      ...caller,
      acts: actsOf(caller.roles),
      csrfToken: caller.cameBy === "console" ? tokenFor(reply, caller) : undefined,
    }),
  }),
  defineCall({
    name: "operator logout",
    route: "POST /logout",
    role: "viewer",
    does: "Ends the session of the call.",
    answer: object({
      ended: boolean({ description: "false: it had ended before" }),
      address: optional(string({ description: "where a browser ends its session at the identity provider, too" })),
    }),
    run: async (_input, deps: OperatorCallsDeps, { request, reply }) => {
      reply.clearCookie(sessionCookie, sessionCookieOptions);
      const from = { address: request.ip, correlationId: request.id };
      const isEnded = await end(deps, deps.caller.sessionId, from);
      const address = deps.caller.cameBy === "console" ? await deps.issuer.findEndOfSession() : undefined;
      return { ended: isEnded, address };
    },
  }),
  defineCall({
    name: "session list",
    route: "GET /sessions",
    role: "viewer",
    does: "Open sessions, newest first: the caller's own, with the role security those of all operators.",
    query: object({ limit }),
    answer: object({
      sessions: array(
        object({
          sessionId: string(),
          ...whose,
          cameBy,
          address: string(),
          hasSecondFactor: boolean(),
          startedAt: time({ description: "real time" }),
          lastUsedAt: time({ description: "real time, to the minute" }),
          expiresAt: time({ description: "real time" }),
        }),
      ),
    }),
    run: async ({ query }, { database, caller }: OperatorCallsDeps) => {
      const operatorId = caller.roles.includes("security") ? undefined : caller.id;
      return { sessions: await listOperatorSessions(database, { operatorId, limit: limitOf(query) }) };
    },
  }),
  defineCall({
    name: "session end",
    route: "POST /sessions/{sessionId}/end",
    role: "viewer",
    does: "Ends a session: one's own, with the role security anybody's. It approves nothing from then on.",
    answer: ended,
    run: async ({ params: { sessionId } }, deps: OperatorCallsDeps, { request }) => ({
      ended: await end(deps, sessionId, { address: request.ip, correlationId: request.id }),
    }),
  }),
] as const;

interface From {
  readonly address: string;
  readonly correlationId: string;
}

/** The database says who may end which. */
async function end({ database, security, caller }: OperatorCallsDeps, sessionId: string, from: From): Promise<boolean> {
  const isEnded = await endOperatorSession(asOperator(database, caller.sessionSecret), sessionId).catch(
    (error: unknown) => {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "42501")
        throw new ControlError(403, "notPermitted", `Nothing was ended: ${(error as Error).message}.`);
      // No session of this id; 22P02: the id is none.
      if (code === "P0002" || code === "22P02")
        throw new ControlError(404, "unknownSession", `There is no session ${sessionId}.`, "sessionId");
      throw error;
    },
  );
  const identity = identityOf(caller);
  if (isEnded) security?.add("session.ended", identity, () => ({ ...from, identity, target: sessionId }));
  return isEnded;
}

const tokenFor = (reply: FastifyReply, { sessionId }: CallingOperator) => reply.generateCsrf({ userInfo: sessionId });
