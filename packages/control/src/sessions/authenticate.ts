/** Authentication of control calls: by the control token, or as pages of the console with a session. */
import { hash, timingSafeEqual } from "node:crypto";
import { bearerToken } from "@titian/contract";
import type { FastifyRequest } from "fastify";
import { isSameOrigin } from "./same-origin.ts";
import type { Sessions } from "./sessions.ts";
import { ControlError } from "../control-error.ts";

export interface ControlAccess {
  readonly controlToken: string;
  readonly sessions: Sessions;
  /** True: proxies stand before it, so that an address does not tell who calls. */
  readonly hasProxies: boolean;
}

/** Compares hashes, so that the time taken tells nothing of the token, not even its length. */
export function isControlToken(token: string, { controlToken }: Pick<ControlAccess, "controlToken">): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(token), digest(controlToken));
}

/** @throws ControlError 401 */
export function authenticate({ headers }: Pick<FastifyRequest, "headers">, access: ControlAccess): void {
  const token = headers.authorization === undefined ? undefined : bearerToken(headers.authorization);
  if (token !== undefined && isControlToken(token, access)) return;
  // The listener has rejected host names that are not ours.
  if (isSameOrigin(headers) && access.sessions.isOpen(headers.cookie)) return;
  const message = "Send Authorization: Bearer with the controlToken of sandbox.json.";
  throw new ControlError(401, "unauthorized", message, "Authorization");
}
