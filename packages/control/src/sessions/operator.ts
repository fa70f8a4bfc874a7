/** Operators who make calls: people that an identity provider has identified, each with a session in the database. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { Role } from "../rows/define-call.ts";

export interface CallingOperator {
  readonly id: string;
  /** With the subject it is one person. */
  readonly issuer: string;
  readonly subject: string;
  /** For people. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** Secret of the session, for the database's door (`asOperator` of `@titian/server/admin`). */
  readonly sessionSecret: string;
  readonly sessionId: string;
  readonly cameBy: "console" | "cli" | "breakGlass";
  /** The identity provider said so. */
  readonly hasSecondFactor: boolean;
  /** Real time (epoch ms). */
  readonly expiresAt: number;
}

export interface OperatorSessions {
  /** By the cookie, or by `Authorization: Bearer <secret of the session>`; undefined: nobody's, or a session that has ended. */
  find(request: FastifyRequest): Promise<CallingOperator | undefined>;
}

export interface OperatorAccess {
  readonly sessions: OperatorSessions;
  /** Login, logout and sessions, to be mounted at `/operators`. */
  readonly routes: FastifyPluginAsync;
  /**
   * To be awaited in a scope before its calls: it gets cookies, and calls that act by the cookie need the token that `GET
   * /operators/me` answers as `csrfToken`, in the header `csrf-token`. Rejects with 401 whoever has no session, with 403 a
   * call without the token.
   */
  protect(scope: FastifyInstance): Promise<void>;
}
