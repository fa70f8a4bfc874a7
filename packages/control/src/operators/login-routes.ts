/** Login of a browser: to the identity provider and back, by authorization code with PKCE, state and nonce. */
import { fits, integer, object, string } from "@titian/contract";
import type { Clock, Secrets } from "@titian/server/admin";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { ControlError } from "../control-error.ts";
import { addCookies, loginCookie, loginCookieOptions, sessionCookie, sessionCookieOptions } from "./cookies.ts";
import type { Issuer } from "./issuer.ts";
import { noteDenied, openSession, type OpenSessionDeps } from "./open-session.ts";

export interface LoginDeps extends OpenSessionDeps {
  readonly issuer: Issuer;
  /** Where operators reach us. */
  readonly url: string;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, "real">;
  /** Told of a login that failed. */
  readonly report: (error: unknown, request: FastifyRequest) => void;
}

const loginSeconds = 600;
const sessionSeconds = 43_200;
const Login = object({ state: string(), nonce: string(), verifier: string(), until: integer() });

export function createLoginRoutes(deps: LoginDeps): FastifyPluginAsync {
  const { issuer, clock, url } = deps;
  return async (app) => {
    await addCookies(app, deps.secrets);
    // A person reads what comes of it, not a program.
    app.setErrorHandler((error, request, reply) => {
      const fault = error instanceof ControlError ? error : undefined;
      if (fault?.status !== 403) deps.report(error, request);
      reply.clearCookie(loginCookie, loginCookieOptions);
      const text = fault?.message ?? `The login failed; the log has it under ${request.id}.`;
      return reply
        .code(fault?.status ?? 500)
        .type("text/plain; charset=utf-8")
        .send(`${text}\n`);
    });
    app.get("/login", async (_request, reply) => {
      const { address, checks } = await issuer.beginLogin();
      const kept = JSON.stringify({ ...checks, until: clock.real() + loginSeconds * 1_000 });
      reply.setCookie(loginCookie, kept, { ...loginCookieOptions, maxAge: loginSeconds });
      return reply.redirect(address);
    });
    app.get("/callback", async (request, reply) => {
      const secret = await endLogin(deps, request, reply);
      reply.clearCookie(loginCookie, loginCookieOptions);
      reply.setCookie(sessionCookie, secret, { ...sessionCookieOptions, maxAge: sessionSeconds });
      return reply.redirect(`${url}/`);
    });
  };
}

/** Answers the secret of the session. */
async function endLogin(deps: LoginDeps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const checks = readLogin(request, reply, deps.clock);
  if (checks === undefined) {
    noteDenied(deps.security, request, "loginExpired");
    throw new ControlError(
      400,
      "loginExpired",
      `The login took longer than ${loginSeconds / 60} minutes, or began in another browser. Begin again at ${deps.url}/operators/login.`,
    );
  }
  const query = request.url.split("?")[1] ?? "";
  const answer = new URL(`${deps.url}/operators/callback?${query}`);
  const identified = await deps.issuer.endLogin(answer, checks).catch((error: unknown) => {
    noteDenied(deps.security, request, error instanceof ControlError ? error.body.error.code : "failed");
    throw error;
  });
  return openSession(deps, identified, "console", request);
}

function readLogin(request: FastifyRequest, reply: FastifyReply, clock: LoginDeps["clock"]) {
  const { valid, value } = reply.unsignCookie(request.cookies[loginCookie] ?? "");
  const kept: unknown = valid ? JSON.parse(value) : undefined;
  return fits(Login, kept) && kept.until > clock.real() ? kept : undefined;
}
