/** Cookies of operators' browsers, and the check that a call which acts comes from our own page. */
import cookie from "@fastify/cookie";
import csrfProtection from "@fastify/csrf-protection";
import type { Secrets } from "@titian/server/admin";
import type { FastifyInstance, FastifyRequest } from "fastify";

export const sessionCookie = "__Host-titian";
/** Name of the cookie of a login under way. */
export const loginCookie = "__Host-titian-login";

const common = { path: "/", secure: true, httpOnly: true } as const;
export const sessionCookieOptions = { ...common, sameSite: "strict" } as const;
/** The browser comes back from another site. */
export const loginCookieOptions = { ...common, sameSite: "lax", signed: true } as const;

export async function addCookies(scope: FastifyInstance, secrets: Secrets): Promise<void> {
  const keys = secrets.derive("operators' cookies").map(({ key }) => key);
  await scope.register(cookie, { secret: keys });
}

/** `sessionOf`: the id of the caller's session, for which alone a token is good. */
export async function addCsrfProtection(
  scope: FastifyInstance,
  secrets: Secrets,
  sessionOf: (request: FastifyRequest) => string,
): Promise<void> {
  const [{ key }] = secrets.derive("operators' forms");
  await scope.register(csrfProtection, {
    cookieKey: "__Host-titian-csrf",
    cookieOpts: sessionCookieOptions,
    getToken: ({ headers }: FastifyRequest) => [headers["csrf-token"]].flat()[0],
    getUserInfo: sessionOf,
    csrfOpts: { hmacKey: key.toString("base64url"), userInfo: true },
  });
}
