/**
 * Failed authentication (spec D2, steps 4 to 7): counted by reason, and logged for each partner, address and reason,
 * the first time and every hundredth.
 */
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Reply } from "../../interfaces/call.ts";
import { type AddressList, addressShare, callerAddress } from "../connections/address-list.ts";
import type { PartnerDirectory } from "../partner-directory.ts";
import { type CallLog, shownClaim } from "./shown-claim.ts";
import type { Metrics } from "../../observability/metrics.ts";

export interface AuthenticationFailures {
  /** Notes the rejection if it is one of these. */
  note(request: IncomingMessage, reply: Reply, correlationId: string): void;
}

interface FailuresDeps {
  readonly log: CallLog;
  readonly metrics: Metrics;
  readonly partners: PartnerDirectory;
  readonly trustedProxies: AddressList;
}

const kindsMax = 10_000;
const loggedEvery = 100;

export function createAuthenticationFailures(deps: FailuresDeps): AuthenticationFailures {
  const { log, metrics, partners, trustedProxies } = deps;
  const total = new Map<string, number>();
  const kinds = new LRUCache<string, { count: number }>({ max: kindsMax });
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
      const claimed = claimedBy(request);
      // Invented names count as one: they must not fill the log.
      const isKnown = partners.byPartnerId(claimed) !== undefined || partners.byClientKey(claimed) !== undefined;
      const key = JSON.stringify([isKnown ? claimed : "", addressShare(address), reason]);
      const kind = kinds.get(key) ?? { count: 0 };
      if (kind.count === 0) kinds.set(key, kind);
      kind.count += 1;
      if (kind.count === 1 || kind.count % loggedEvery === 0) {
        const fields = {
          correlationId,
          partner: isKnown ? claimed : shownClaim(claimed, log),
          address,
          reason,
          count: kind.count,
        };
        log.warn("authentication.failed", "A call failed authentication.", fields);
      }
    },
  };
}

/** The claimed partner. */
function claimedBy({ headers }: IncomingMessage): string {
  const claimed = headers["x-partner-id"] ?? headers["x-client-key"];
  return typeof claimed === "string" ? claimed : "";
}

const reasons: Readonly<Record<string, string>> = {
  Signature: "signature",
  Timestamp: "timestamp",
  "Unknown client": "unknown_client",
  "Connection not allowed": "address",
};

function reasonOf({ case: name, reason }: Reply): string | undefined {
  if (name === "tokenNotFound") return "token_missing";
  if (name === "invalidToken") return "token";
  if (name === "invalidCustomerToken") return "customer_token";
  return name === "unauthorized" && reason !== undefined ? reasons[reason] : undefined;
}
