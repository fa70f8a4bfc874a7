/** What a rail says, as far as it can be understood: another system may say anything (decision D11). */
import type { RailResult, RailState } from "./rail.ts";

const kinds: readonly string[] = ["settled", "refused", "pending", "returned"];

/** What it said. @throws when it is nothing a rail may say: then nothing is known. */
export function readState(said: RailState): RailState {
  const { kind } = said;
  if (kinds.includes(kind)) return said;
  throw new Error(`a rail says ${JSON.stringify(said)}, which means nothing`);
}

/** A trace number as rows and answers may hold it: 1 to 16 visible characters; anything else is left out. */
export function readTraceNo({ traceNo }: { readonly traceNo?: unknown }): string | undefined {
  return typeof traceNo === "string" && /^[!-~]{1,16}$/.test(traceNo) ? traceNo : undefined;
}

/** As `readState`, of a result. */
export function readResult({ referenceNo, state }: RailResult): RailResult {
  return { referenceNo: String(referenceNo), state: readState(state) };
}
