/** The partner of mode 2 whose key signed a call that has no token: it may have named another in X-PARTNER-ID. */
import { hashBody, stringToSign, verifyRsa } from "@titian/contract";
import type { Received } from "../received.ts";
import type { PartnerSecrets } from "../report.ts";

/** As many as the sandbox gives; each costs some 50 µs. */
const partnersMax = 31;

export function signerInMode2(
  { evidence, target, timestamp, signature, partnerId }: Received,
  known: readonly PartnerSecrets[],
): PartnerSecrets | undefined {
  const { method, body } = evidence;
  if (body === undefined || signature === "" || timestamp === "") return undefined;
  const text = stringToSign.transaction({
    method,
    path: target,
    accessToken: undefined,
    bodyHash: hashBody(body),
    timestamp,
  });
  return known
    .slice(0, partnersMax)
    .filter((partner) => partner.signing === "asymmetric" && partner.partnerId !== partnerId)
    .find(({ publicKeys }) => publicKeys.some((pem) => verifyRsa(pem, text, signature)));
}
