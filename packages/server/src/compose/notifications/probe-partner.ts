/** A test notification to a partner, from a process that serves no calls. */
import { createHash, createPublicKey } from "node:crypto";
import type { NotificationEndpoint } from "../../interfaces/notifications.ts";
import { type ProbeResult, sendProbe } from "../../notify/probe/probe.ts";
import type { Core } from "../core.ts";
import { createSender } from "./notification-sender.ts";

export interface ProbeInput {
  /** With the address that it is sent to. */
  readonly endpoint: NotificationEndpoint;
  readonly service: number;
  /** PKCS#8 PEM. */
  readonly providerKey: string;
}

export interface PartnerProbe extends ProbeResult {
  /** SHA-256 of the provider's public key (SPKI, DER) in hex: the receiver's must be the same. */
  readonly providerKeySha256: string;
}

export async function probePartner(core: Core, { endpoint, service, providerKey }: ProbeInput): Promise<PartnerProbe> {
  await using sender = createSender(core, providerKey);
  const publicKey = createPublicKey(providerKey).export({ type: "spki", format: "der" });
  const providerKeySha256 = createHash("sha256").update(publicKey).digest("hex");
  return { ...(await sendProbe(sender, endpoint, service)), providerKeySha256 };
}
