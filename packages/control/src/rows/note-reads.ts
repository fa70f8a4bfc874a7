/** Notes reads of customers' records, and comparisons with client secrets, in the security log. */
import type { SecurityLog } from "@titian/server/admin";
import type { FastifyRequest } from "fastify";
import type { AnyCall } from "./define-call.ts";

/** First parts of the paths below which names, numbers or payments of customers are. */
const ofCustomers: ReadonlySet<string> = new Set([
  "accounts",
  "bulks",
  "calls",
  "consents",
  "holds",
  "notifications",
  "payment-requests",
  "refusals",
  "search",
  "timeline",
  "transfers",
]);

const readsCustomers = ({ access, path }: Pick<AnyCall, "access" | "path">): boolean =>
  access === "read" && (ofCustomers.has(path.split("/")[1] ?? "") || path.startsWith("/partners/{partnerId}/requests"));

/** `identity`: the door, where callers have no identities of their own. */
export function noteReads(security: SecurityLog | undefined, identity: string) {
  if (security === undefined) return undefined;
  return (call: Pick<AnyCall, "access" | "path" | "name">, request: FastifyRequest): void => {
    if (readsCustomers(call)) noteRead(security, identity, call, request);
  };
}

export function noteRead(
  security: SecurityLog,
  identity: string,
  call: Pick<AnyCall, "name">,
  request: FastifyRequest,
): void {
  security.add("personal_data.read", identity, () => ({
    address: request.ip,
    identity,
    operation: call.name,
    correlationId: request.id,
    // Its path has one number, and what was searched for stands nowhere.
    target: Object.values(request.params as Readonly<Record<string, string>>).at(-1),
  }));
}

/** Calls that are answered otherwise where the secret given is the partner's own, so that one could be guessed. */
const comparesSecret: ReadonlySet<string> = new Set(["partner add", "partner add-secret"]);

export function noteComparison(
  security: SecurityLog,
  identity: string,
  { name }: Pick<AnyCall, "name">,
  request: FastifyRequest,
): void {
  if (!comparesSecret.has(name)) return;
  security.add("client_secret.compared", identity, () => ({
    address: request.ip,
    partner: (request.params as { readonly partnerId: string }).partnerId,
    identity,
    operation: name,
    correlationId: request.id,
  }));
}
