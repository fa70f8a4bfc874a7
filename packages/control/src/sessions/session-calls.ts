/** Sessions of the console's pages: with the control token, or by being on this machine. */
import { object, optional, type Static, string } from "@titian/contract";
import { hostNameOf, isLoopbackAddress, isLoopbackName, time } from "@titian/server/admin";
import type { FastifyRequest } from "fastify";
import { isOwnUser } from "./local-user.ts";
import { isSameOrigin } from "./same-origin.ts";
import { type ControlAccess, isControlToken } from "./authenticate.ts";
import { ControlError } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

const sessionRequest = object({
  controlToken: optional(string({ maxLength: 200, description: "the controlToken of sandbox.json" })),
});
export type SessionRequest = Static<typeof sessionRequest>;

export interface SessionCallsDeps {
  readonly access: ControlAccess;
}

/** The one call that is made without a session or token, by the pattern of its route: `checkPage` says by whom. */
export const isSessionCall = (url: string | undefined) => url?.endsWith("/session") === true;

export const sessionCalls = [
  defineCall({
    name: "session open",
    route: "POST /session",
    role: "viewer",
    does: "A session of the console, for its pages; the answer sets the cookie. Without controlToken only from this machine, by the user who runs the sandbox.",
    body: sessionRequest,
    answer: object({ expiresAt: time({ description: "real time" }) }),
    run: async ({ body: { controlToken } }, { access }: SessionCallsDeps, { request, reply }) => {
      if (controlToken === undefined) await checkLocal(request, access);
      else if (!isControlToken(controlToken, access)) {
        throw new ControlError(401, "wrongToken", "This is not the controlToken of sandbox.json.", "controlToken");
      }
      const { cookie, expiresAt } = access.sessions.open();
      reply.header("Set-Cookie", cookie);
      return { expiresAt };
    },
  }),
] as const;

/** Checks for our own pages. A form of another site cannot send JSON. @throws ControlError 403 */
export function checkPage({ headers }: FastifyRequest): void {
  const isJson = /^application\/json *(;|$)/i.test(headers["content-type"] ?? "");
  if (isJson && isSameOrigin(headers)) return;
  throw new ControlError(403, "notSameOrigin", "A session is for pages that this sandbox serves itself.");
}

/** Headers of relays such as tunnels: whoever is behind one is not known. */
const relayHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** From this machine, to this machine, by the user that runs the sandbox: who may read sandbox.json. */
async function checkLocal({ headers, raw: { socket } }: FastifyRequest, { hasProxies }: ControlAccess): Promise<void> {
  const isLocal =
    !hasProxies &&
    !relayHeaders.some((name) => headers[name] !== undefined) &&
    isLoopbackAddress(socket.remoteAddress ?? "") &&
    isLoopbackName(hostNameOf(headers.host) ?? "") &&
    (await isOwnUser(socket));
  if (isLocal) return;
  const message = "Give controlToken, which sandbox.json in the data directory has.";
  throw new ControlError(401, "tokenRequired", message, "controlToken");
}
