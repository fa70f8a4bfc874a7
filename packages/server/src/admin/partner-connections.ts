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
}

const networksMax = 8;

export function rejectConnections({ notificationNetworks = [] }: ConnectionTermsInput): AdminResult<never> | undefined {
  if (notificationNetworks.length <= networksMax && notificationNetworks.every(isPrivateNetwork)) return undefined;
  const message = `Up to ${networksMax} notification networks, each of them ${networkAdvice}.`;
  return rejected("invalidField", message, "notificationNetworks");
}

/** The settings with the given changes; what is as for any partner is not kept. */
export function applyConnections(settings: PartnerSettings, terms: ConnectionTermsInput): PartnerSettings {
  const { notificationNetworks: networksBefore = [], notificationTlsMin: tlsBefore = "1.3", ...rest } = settings;
  const { notificationNetworks = networksBefore, notificationTlsMin = tlsBefore } = terms;
  return {
    ...rest,
    ...(notificationNetworks.length > 0 && { notificationNetworks }),
    ...(notificationTlsMin === "1.2" && { notificationTlsMin }),
  };
}
