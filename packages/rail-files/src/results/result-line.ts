/** A line of results as the other side writes it: `{"referenceNo": …, "result": "settled" | "rejected" | "returned", …}`. */
import type { RailRejection, RailResult, RailState } from "@titian/server/rails";
import { type Line, readTexts } from "../files/json-lines.ts";

const rejections: Readonly<Record<RailRejection, true>> = {
  unknownBeneficiary: true,
  beneficiaryInactive: true,
  beneficiaryDormant: true,
  beneficiaryOverLimit: true,
  bankUnreachable: true,
  rejected: true,
};

const traceNoMax = 16;

export type ReadResult =
  | { readonly ok: true; readonly result: RailResult; readonly ledgerId: string | undefined }
  | { readonly ok: false; readonly fault: string };

export function readResult(line: Line): ReadResult {
  const read = readTexts(line);
  if (!read.ok) return read;
  const { referenceNo, result, rejection, traceNo, ledgerId } = read.texts;
  const bad = (fault: string): ReadResult => ({ ok: false, fault });
  if (referenceNo === undefined || referenceNo === "") return bad("it has no `referenceNo`");
  if (traceNo !== undefined && (traceNo === "" || traceNo.length > traceNoMax)) {
    return bad(`its \`traceNo\` has none or more than ${traceNoMax} characters`);
  }
  const good = (state: RailState): ReadResult => ({
    ok: true,
    ledgerId,
    result: { referenceNo, state: traceNo === undefined ? state : { ...state, traceNo } },
  });
  if (result === "rejected") {
    if (rejection === undefined || !isRejection(rejection)) return bad("its `rejection` is none that is known");
    return good({ kind: "rejected", rejection });
  }
  if (rejection !== undefined) return bad("it has a `rejection` and is not rejected");
  if (result === "settled" || result === "returned") return good({ kind: result });
  return bad("its `result` is neither settled, rejected nor returned");
}

function isRejection(text: string): text is RailRejection {
  return Object.hasOwn(rejections, text);
}
