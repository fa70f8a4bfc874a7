/** Events of the security log among answered calls. */
import { operations } from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import { reasonOf } from "../../edge/authentication/authentication-failures.ts";
import type { ObservedCall } from "../../edge/call-hooks.ts";
import type { SecurityEvent } from "../../observability/security/security-event.ts";

type Answered = Pick<ObservedCall, "operation" | "rejection" | "status" | "fields">;

interface Found {
  readonly event: SecurityEvent;
  readonly reason?: string | undefined;
}

/** Undefined for most: an accepted call other than a token's costs a look at its operation. */
export function securityEventOf({ operation, rejection, status, fields }: Answered): Found | undefined {
  if (rejection !== undefined) return eventOfRejection(rejection, fields);
  if (status !== 200 || operation === undefined || operations[operation].kind !== "token") return undefined;
  const reason = presentedIn(fields);
  return reason === undefined ? { event: "token.issued" } : { event: "grant.used", reason };
}

function eventOfRejection(
  rejection: Pick<Reply, "case" | "reason" | "connection">,
  fields: Answered["fields"],
): Found | undefined {
  const reason = reasonOf(rejection);
  if (reason !== undefined) return { event: "authentication.failed", reason };
  switch (rejection.case) {
    case "unauthorized":
      return { event: "grant.rejected", reason: presentedIn(fields) };
    case "featureNotAllowed":
      return { event: "access.denied", reason: "service" };
    case "transactionNotPermitted":
      return rejection.reason === "Source account" ? { event: "access.denied", reason: "source_account" } : undefined;
    case "tooManyRequests":
      return { event: "limit.exceeded" };
    default:
      return undefined;
  }
}

/** Undefined: it asks for a token of its own (73). */
function presentedIn(fields: Answered["fields"]): string | undefined {
  const { grantType } = fields ?? {};
  return grantType === "authorization_code" || grantType === "refresh_token" ? grantType : undefined;
}
