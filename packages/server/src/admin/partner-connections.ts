/** Terms of the connections to a partner and from it (ADR 0082), checked before anything is written. */
import { isPrivateNetwork, networkAdvice } from "../basics/private-networks.ts";
import type { PartnerSettings } from "../store/reference/reference.ts";
import { type AdminResult, rejected } from "./result.ts";

export interface ConnectionTermsInput {
  /** Private networks that its notifications may go to, too; none: public addresses alone. */
  readonly notificationNetworks?: readonly string[];
}

const networksMax = 8;

export function rejectConnections({ notificationNetworks = [] }: ConnectionTermsInput): AdminResult<never> | undefined {
  if (notificationNetworks.length <= networksMax && notificationNetworks.every(isPrivateNetwork)) return undefined;
  const message = `Up to ${networksMax} notification networks, each of them ${networkAdvice}.`;
  return rejected("invalidField", message, "notificationNetworks");
}

/** The settings with the given changes; what is as for any partner is not kept. */
export function applyConnections(settings: PartnerSettings, terms: ConnectionTermsInput): PartnerSettings {
  const { notificationNetworks: networksBefore = [], ...rest } = settings;
  const { notificationNetworks = networksBefore } = terms;
  return { ...rest, ...(notificationNetworks.length > 0 && { notificationNetworks }) };
}
