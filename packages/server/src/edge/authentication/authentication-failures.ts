/**
 * Failed authentication (spec D2, steps 4 to 7): counted by reason, and logged for each partner, address and reason,
 * the first time in ten minutes and every hundredth.
 */
import type { IncomingMessage } from "node:http";
import type { Reply } from "../../interfaces/call.ts";
import { type AddressList, addressShare, callerAddress } from "../connections/address-list.ts";
import type { Clock } from "../../basics/clock.ts";
import { claimedName, type PartnerDirectory } from "../partner-directory.ts";
import { createFailureCounts } from "./failure-counts.ts";
import { type CallLog, shownClaim } from "./shown-claim.ts";
import type { Metrics } from "../../observability/metrics.ts";

export interface AuthenticationFailures {
  /** Notes the rejection if it is one of these. */
  note(request: IncomingMessage, reply: Reply, correlationId: string): void;
}

interface FailuresDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: CallLog;
  readonly metrics: Metrics;
  readonly partners: PartnerDirectory;
  readonly trustedProxies: AddressList;
}

const loggedEvery = 100;

export function createAuthenticationFailures(deps: FailuresDeps): AuthenticationFailures {
  const { clock, log, metrics, partners, trustedProxies } = deps;
  const total = new Map<string, number>();
  const counts = createFailureCounts(clock);
  const metric = {
    name: "titian_authentication_failures_total",
    help: "Calls that failed authentication, by reason.",
    labels: ["reason"],
  };
  metrics.counter(metric, () => [...total].map(([reason, value]) => ({ labels: { reason }, value })));

  return {
    note(request, reply, correlationId) {
      const reason = reasonOf(reply);
      if (reason === undefined) return;
      total.set(reason, (total.get(reason) ?? 0) + 1);
      const address = callerAddress(request, trustedProxies);
      const claimed = claimedName(request);
      // Invented names count as one: they must not fill the log.
      const isKnown = partners.byPartnerId(claimed) !== undefined || partners.byClientKey(claimed) !== undefined;
      const count = counts.add({ claimed: isKnown ? claimed : "", address: addressShare(address), reason });
      if (count === 1 || count % loggedEvery === 0) {
        const fields = {
          correlationId,
          partner: isKnown ? claimed : shownClaim(claimed, log),
          address,
          reason,
          count,
        };
        log.warn("authentication.failed", "A call failed authentication.", fields);
      }
    },
  };
}

const reasons: Readonly<Record<string, string>> = {
  Signature: "signature",
  Timestamp: "timestamp",
  "Unknown client": "unknown_client",
  "Connection not allowed": "address",
};

/** Undefined: the reply rejects a call for something else. */
export function reasonOf(reply: Pick<Reply, "case" | "reason" | "connection">): string | undefined {
  const { case: name, reason, connection } = reply;
  if (connection !== undefined) return connection;
  if (name === "tokenNotFound") return "token_missing";
  if (name === "invalidToken") return "token";
  if (name === "invalidCustomerToken") return "customer_token";
  return name === "unauthorized" && reason !== undefined ? reasons[reason] : undefined;
}
