/** A partner as calls that pass no edge carry it. */
import type { PartnerCredentials } from "../../../packages/server/src/interfaces/call.ts";

/** Operations look at the internal id alone; the rest was the edge's business. */
export function credentialsOf(key: string): PartnerCredentials {
  return {
    key,
    partnerId: key,
    clientKey: key,
    status: "active",
    signing: "symmetric",
    secrets: [],
    publicKeys: [],
    services: [],
    addresses: [],
    acceptsMinifiedSignature: true,
    channelIdLengthMax: 5,
  };
}
