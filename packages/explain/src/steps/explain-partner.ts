/** Step 5: whose call it is, and from where (spec D2). */
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis, PartnerSecrets } from "../report.ts";
import { shown } from "../shown.ts";
import { diagnose } from "../state.ts";
import { readToken } from "./read-token.ts";

export function explainPartner(received: Received, known: readonly PartnerSecrets[], reason?: string): Diagnosis {
  const { kind, partner, partnerId, clientKey } = received;
  if (reason === "Connection not allowed") {
    return diagnose("unknown", "address", "address.notAllowed", { partner: partner?.partnerId ?? shown(partnerId) });
  }
  const header = kind === "token" ? "X-CLIENT-KEY" : "X-PARTNER-ID";
  if (partner?.status === "suspended") {
    return diagnose("header", header, "partner.suspended", { partner: partner.partnerId });
  }
  if (partner?.status === "retired") {
    return diagnose("header", header, "partner.retired", { partner: partner.partnerId });
  }
  if (kind === "token") {
    const near = nearest(
      clientKey,
      known.map((one) => one.clientKey),
    );
    return near === undefined
      ? diagnose("header", header, "client.unknown", { clientKey: shown(clientKey) })
      : diagnose("header", header, "client.unknownNear", { clientKey: shown(clientKey), near });
  }
  const subject = received.token === undefined ? undefined : readToken(received.token)?.subject;
  const owner = known.find(({ key }) => key === subject);
  // The token verified, or step 4 had refused the call: its subject is its owner.
  if (owner !== undefined && owner.partnerId !== partnerId) {
    return diagnose("header", header, "partner.otherPartners", { owner: owner.partnerId, partner: shown(partnerId) });
  }
  const near = nearest(
    partnerId,
    known.map((one) => one.partnerId),
  );
  return near === undefined
    ? diagnose("header", header, "partner.unknown", { partner: shown(partnerId) })
    : diagnose("header", header, "partner.unknownNear", { partner: shown(partnerId), near });
}
