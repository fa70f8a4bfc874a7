/** Terms of the connections to a partner and from it (ADR 0082), checked before anything is written. */
import { isPrivateNetwork, networkAdvice } from "../basics/private-networks.ts";
import type { PartnerSettings } from "../store/reference/reference.ts";
import { type AdminResult, rejected } from "./result.ts";

type TlsVersion = "1.2" | "1.3";

export interface ConnectionTermsInput {
  /** Private networks that its notifications may go to, too; none: public addresses alone. */
  readonly notificationNetworks?: readonly string[];
  /** Oldest TLS that its notifications may go over. */
  readonly notificationTlsMin?: TlsVersion;
  /** SHA-256 of client certificates, of which its calls' connections need one; none: they need none. */
  readonly clientCertificates?: readonly string[];
  /** Oldest TLS that it may call over. */
  readonly tlsMin?: TlsVersion;
}

const networksMax = 8;
/** Those of two places, and of each the next one. */
const certificatesMax = 4;

export function rejectConnections(terms: ConnectionTermsInput): AdminResult<never> | undefined {
  const { notificationNetworks = [], clientCertificates = [] } = terms;
  if (notificationNetworks.length > networksMax || !notificationNetworks.every(isPrivateNetwork)) {
    const message = `Up to ${networksMax} notification networks, each of them ${networkAdvice}.`;
    return rejected("invalidField", message, "notificationNetworks");
  }
  const isFingerprint = (text: string) => /^[0-9a-f]{64}$/.test(normalizeFingerprint(text));
  if (clientCertificates.length > certificatesMax || !clientCertificates.every(isFingerprint)) {
    const message = `Up to ${certificatesMax} client certificates, each of them its SHA-256 in 64 hexadecimal digits.`;
    return rejected("invalidField", message, "clientCertificates");
  }
  return undefined;
}

/** The settings with the given changes; what is as for any partner is not kept. */
export function applyConnections(settings: PartnerSettings, terms: ConnectionTermsInput): PartnerSettings {
  const { notificationNetworks: networksBefore, notificationTlsMin: notificationsBefore, ...others } = settings;
  const { clientCertificates: certificatesBefore, tlsMin: callsBefore, ...rest } = others;
  const { notificationNetworks = networksBefore ?? [], notificationTlsMin = notificationsBefore } = terms;
  const { clientCertificates = certificatesBefore ?? [], tlsMin = callsBefore } = terms;
  return {
    ...rest,
    ...(notificationNetworks.length > 0 && { notificationNetworks }),
    ...(notificationTlsMin === "1.2" && { notificationTlsMin }),
    ...(clientCertificates.length > 0 && { clientCertificates: clientCertificates.map(normalizeFingerprint) }),
    ...(tlsMin === "1.2" && { tlsMin }),
  };
}

/** `openssl x509 -fingerprint -sha256` writes capital letters, and colons between. */
function normalizeFingerprint(text: string): string {
  return text.replaceAll(":", "").toLowerCase();
}
