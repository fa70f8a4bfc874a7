/** What a rail's rejection is to a caller (spec D6). */
import type { CallRejectionKind } from "../ledger/rejection.ts";
import type { RailRejection } from "./rail.ts";

const rejections: Readonly<Record<RailRejection, CallRejectionKind>> = {
  unknownBeneficiary: "unknownBeneficiary",
  beneficiaryInactive: "accountInactive",
  beneficiaryDormant: "accountDormant",
  beneficiaryOverLimit: "beneficiaryOverLimit",
  bankUnreachable: "bankUnreachable",
  rejected: "rejectedByRail",
};

/** A word no rail of ours should say is a "no" all the same. */
export function rejectionOf(word: RailRejection): CallRejectionKind {
  return Object.hasOwn(rejections, word) ? rejections[word] : "rejectedByRail";
}
