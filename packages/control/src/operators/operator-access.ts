/** Access of operators on a production node: login by the identity provider, and who makes a call. */
import { bearerToken } from "@titian/contract";
import {
  type Clock,
  type Log,
  type SecurityLog,
  type Secrets,
  type StatementPool,
  useOperatorSession,
} from "@titian/server/admin";
import type { ConsoleSettings } from "@titian/server/config";
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import { ControlError } from "../control-error.ts";
import { answerError } from "../rows/answer-error.ts";
import type { Role } from "../rows/define-call.ts";
import { serveCalls } from "../rows/serve-calls.ts";
import type { CallingOperator, OperatorAccess } from "../sessions/operator.ts";
import { addCookies, addCsrfProtection, sessionCookie } from "./cookies.ts";
import { deviceCalls } from "./device-calls.ts";
import { createIssuer } from "./issuer.ts";
import { createLoginRoutes } from "./login-routes.ts";
import { secretPattern } from "./open-session.ts";
import { operatorCalls } from "./operator-calls.ts";

export interface OperatorAccessDeps {
  readonly settings: ConsoleSettings;
  /** Connections of the console's role. */
  readonly database: StatementPool;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, "real">;
  readonly log: Log;
  /** Absent: logins are noted nowhere. */
  readonly security: SecurityLog | undefined;
  /** Routes of the calls that act and that an operator of these roles makes. */
  readonly actsOf: (roles: readonly Role[]) => readonly string[];
}

const answerHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const loginFirst = "Log in first: /operators/login in a browser, titian login for commands.";

export function createOperatorAccess(deps: OperatorAccessDeps): OperatorAccess {
  const { database, secrets, log } = deps;
  const sessions = createFinder(database);
  const callers = new WeakMap<FastifyRequest, CallingOperator>();
  const sessionOf = (request: FastifyRequest) => callers.get(request)?.sessionId ?? "";

  async function protect(scope: FastifyInstance): Promise<void> {
    await addCookies(scope, secrets);
    await addCsrfProtection(scope, secrets, sessionOf);
    scope.addHook("onRequest", async (request) => {
      const caller = await sessions.find(request);
      if (caller === undefined) throw new ControlError(401, "unauthorized", loginFirst, "Authorization");
      callers.set(request, caller);
    });
    scope.addHook("onRequest", (request, reply, done) => {
      // A browser sends the cookie with whatever page asks it to; a secret in a header comes from nowhere else.
      if (readMethods.has(request.method) || request.headers.authorization !== undefined) return done();
      scope.csrfProtection(request, reply, done);
    });
  }

  const callerOf = (request: FastifyRequest): CallingOperator => {
    const caller = callers.get(request);
    if (caller === undefined) throw new ControlError(401, "unauthorized", loginFirst, "Authorization");
    return caller;
  };
  const { issuer: name, url } = deps.settings;
  const issuer = createIssuer(deps.settings);
  const report = (error: unknown, { id: correlationId }: FastifyRequest) =>
    log.warn("operators.login_failed", `A login by ${name} failed.`, { correlationId, error });
  const routes: FastifyPluginAsync = async (app) => {
    app.addHook("onRequest", async (_request, reply) => void reply.headers(answerHeaders));
    app.setErrorHandler((error, request, reply) => {
      if (error instanceof ControlError && error.status >= 500) report(error, request);
      return answerError(
        (failure) => log.error("operators.call_failed", "An operator's call failed.", { ...failure }),
        error,
        request,
        reply,
      );
    });
    await app.register(createLoginRoutes({ ...deps, issuer, url, report }));
    await app.register(async (scope) => serveCalls(scope, deviceCalls, () => ({ ...deps, issuer })));
    await app.register(async (scope) => {
      await protect(scope);
      serveCalls(scope, operatorCalls, (request) => ({ ...deps, issuer, caller: callerOf(request) }));
    });
  };
  return { sessions, routes, protect };
}

/** Each request is looked up once. */
function createFinder(database: StatementPool): OperatorAccess["sessions"] {
  const found = new WeakMap<FastifyRequest, Promise<CallingOperator | undefined>>();
  return {
    find(request) {
      const known = found.get(request) ?? findCaller(database, request);
      found.set(request, known);
      return known;
    },
  };
}

/** On what a page of the console reads again by itself. */
const pollHeader = "x-titian-poll";

async function findCaller(database: StatementPool, request: FastifyRequest): Promise<CallingOperator | undefined> {
  const { headers, cookies } = request;
  const secret = headers.authorization === undefined ? cookies[sessionCookie] : bearerToken(headers.authorization);
  if (secret === undefined || !secretPattern.test(secret)) return undefined;
  const isUse = request.method !== "GET" || headers[pollHeader] === undefined;
  const session = await useOperatorSession(database, secret, { isUse });
  if (session === undefined) return undefined;
  const { operatorId: id, roles, ...rest } = session;
  return { ...rest, id, roles: roles as Role[], sessionSecret: secret };
}
