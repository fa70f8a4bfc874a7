/** Validates results of rails: another system may send anything (spec D11). */
import type { CallRejectionKind } from "../../ledger/rejection.ts";
import type { RailRejection, RailResult, RailState } from "../rail.ts";

/** A rail's response is not one of those it may give. */
export class InvalidRailResponse extends Error {}

const kinds: readonly string[] = ["settled", "rejected", "pending", "returned"];

/** @throws InvalidRailResponse */
export function parseState(state: RailState | null | undefined): RailState {
  if (state && kinds.includes(state.kind)) return state;
  throw new InvalidRailResponse(`invalid response of a rail: ${JSON.stringify(state)}`);
}

/** 1 to 16 visible characters; any other trace number is left out. */
export function readTraceNo({ traceNo }: { readonly traceNo?: unknown }): string | undefined {
  return typeof traceNo === "string" && /^[!-~]{1,16}$/.test(traceNo) ? traceNo : undefined;
}

/** As `parseState`, of a result. */
export function readResult({ referenceNo, state }: RailResult): RailResult {
  return { referenceNo: String(referenceNo), state: parseState(state) };
}

/** Rejections to callers by reasons of rails (spec D6). */
const rejections: Readonly<Record<RailRejection, CallRejectionKind>> = {
  unknownBeneficiary: "unknownBeneficiary",
  beneficiaryInactive: "accountInactive",
  beneficiaryDormant: "accountDormant",
  beneficiaryOverLimit: "beneficiaryOverLimit",
  bankUnreachable: "bankUnreachable",
  rejected: "rejectedByRail",
};

/** An unknown reason is a rejection all the same. */
export function railRejectionKind(rejection: RailRejection): CallRejectionKind {
  return Object.hasOwn(rejections, rejection) ? rejections[rejection] : "rejectedByRail";
}
