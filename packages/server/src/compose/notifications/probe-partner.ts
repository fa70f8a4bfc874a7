/** A test notification to a partner, from a process that may serve no calls. Its result is kept as the partner's last one. */
import { createHash, createPublicKey } from "node:crypto";
import { keepReceiverTest, type ReceiverTest } from "../../admin/partners/receiver-tests.ts";
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
  const at = core.clock.now();
  const probe = { ...(await sendProbe(sender, endpoint, service)), providerKeySha256 };
  await keepReceiverTest(core.adminPool, { ...shortened(probe), at });
  return probe;
}

/** Without what was signed and sent. */
function shortened(probe: PartnerProbe): Omit<ReceiverTest, "at"> {
  const { partnerId, url, httpStatus, responseCode, reply, failure, durationMs, providerKeySha256, echo } = probe;
  const verified = probe.variations?.find(({ isVerified }) => isVerified);
  const isOther = verified !== undefined && verified.mistake === undefined;
  return {
    partnerId,
    serviceCode: String(probe.service),
    url,
    httpStatus,
    responseCode,
    // It may show the text that was verified: in mode 1 with the token.
    reply: probe.signing === "symmetric" ? undefined : reply,
    failure,
    durationMs,
    providerKeySha256,
    mistake: typeof echo === "object" ? echo : verified?.mistake,
    ...(isOther && verified.signing !== probe.signing && { signing: verified.signing }),
    ...(isOther && verified.signedPath !== probe.signedPath && { signedPath: verified.signedPath }),
    isTextRight: echo === "right",
  };
}
