import type { IncomingMessage } from "node:http";
import type { PartnerCredentials } from "../interfaces/call.ts";

/** Reference data of partners, read without waiting. */
export interface PartnerDirectory {
  byKey(key: string): PartnerCredentials | undefined;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
  byClientKey(clientKey: string): PartnerCredentials | undefined;
  /** True when a customer's grant has ended: its tokens verify, and are good no more. */
  isGrantEnded(grantId: string): boolean;
  /** True when the data was not refreshed for too long: suspensions may be missing. */
  isStale(): boolean;
}

/** Name of the partner that a caller claims to be, or its client key; "": none. */
export function claimedName({ headers }: IncomingMessage): string {
  const claimed = headers["x-partner-id"] ?? headers["x-client-key"];
  return typeof claimed === "string" ? claimed : "";
}
