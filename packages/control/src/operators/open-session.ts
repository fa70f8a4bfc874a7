/** Opens a session of an operator whom the identity provider has identified. */
import { newSecret, openOperatorSession, type SecurityLog, type StatementPool } from "@titian/server/admin";
import type { FastifyRequest } from "fastify";
import { ControlError } from "../control-error.ts";
import type { Identified } from "./issuer.ts";

export interface OpenSessionDeps {
  /** Connections of the console's role. */
  readonly database: StatementPool;
  readonly security: SecurityLog | undefined;
}

const secretBytes = 32;
/** Form of `newSecret(secretBytes)`. */
export const secretPattern = /^[\w-]{43}$/;

export const identityOf = ({ issuer, subject }: Pick<Identified, "issuer" | "subject">) => `${issuer} ${subject}`;

/** Answers its secret. @throws ControlError 403 of somebody who is no operator */
export async function openSession(
  { database, security }: OpenSessionDeps,
  identified: Identified,
  cameBy: "console" | "cli",
  request: FastifyRequest,
): Promise<string> {
  const secret = newSecret(secretBytes);
  const { ip: address } = request;
  const { sessionId, knownAs } = await openOperatorSession(database, { ...identified, secret, cameBy, address });
  const identity = identityOf(identified);
  if (sessionId === undefined) {
    noteDenied(security, request, `${knownAs}_operator`, identity);
    throw notAnOperator(identified, knownAs);
  }
  const facts = { address, identity, correlationId: request.id, reason: cameBy, target: sessionId };
  security?.add("session.opened", identity, () => facts);
  return secret;
}

export function noteDenied(
  security: SecurityLog | undefined,
  { ip: address, id: correlationId }: FastifyRequest,
  reason: string,
  identity?: string,
): void {
  security?.add("session.denied", identity ?? address, () => ({ address, identity, correlationId, reason }));
}

function notAnOperator({ issuer, subject }: Identified, knownAs: string): ControlError {
  const known = `The identity provider ${issuer} knows you as ${subject}`;
  return knownAs === "ended"
    ? new ControlError(403, "endedOperator", `${known}, which is an operator here no more.`)
    : new ControlError(
        403,
        "unknownOperator",
        `${known}, which is no operator here. An operator of exactly this issuer and subject has to be added first: titian operators list shows those there are.`,
      );
}
