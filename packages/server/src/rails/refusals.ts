/** What a rail's refusal is to a caller (decision D6). */
import type { CallRefusalKind } from "../ledger/refusal.ts";
import type { RailRefusal } from "./rail.ts";

const refusals: Readonly<Record<RailRefusal, CallRefusalKind>> = {
  unknownBeneficiary: "unknownBeneficiary",
  beneficiaryInactive: "accountInactive",
  beneficiaryDormant: "accountDormant",
  beneficiaryOverLimit: "beneficiaryOverLimit",
  bankUnreachable: "bankUnreachable",
  rejected: "rejectedByRail",
};

/** A word no rail of ours should say is a "no" all the same. */
export function refusalOf(word: RailRefusal): CallRefusalKind {
  return Object.hasOwn(refusals, word) ? refusals[word] : "rejectedByRail";
}
