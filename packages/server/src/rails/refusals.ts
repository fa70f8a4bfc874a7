/** What a rail's refusal is to a caller (decision D6). */
import type { CallRefusalKind } from "../ledger/refusal.ts";
import type { RailRefusal } from "./rail.ts";

export const refusalOfRail: Readonly<Record<RailRefusal, CallRefusalKind>> = {
  unknownBeneficiary: "unknownBeneficiary",
  beneficiaryInactive: "accountInactive",
  beneficiaryDormant: "accountDormant",
  beneficiaryOverLimit: "overDailyLimit",
  bankUnreachable: "bankUnknown",
  rejected: "rejectedByRail",
};
