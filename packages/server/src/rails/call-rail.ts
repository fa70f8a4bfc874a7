/** Calls a rail, within its time limit and until the node stops. */
import type { RailName } from "../ledger/rails/terms.ts";
import { parseState } from "./results/parse-result.ts";
import type { DispatchDeps } from "./results/record-result.ts";
import { type Rail, RailDown, type RailState } from "./rail.ts";

/** Ways in which a call to a rail ended. unreachable: the rail certainly got nothing. */
export type RailResponse =
  | { readonly kind: "responded"; readonly state: RailState }
  | { readonly kind: "unreachable" }
  | { readonly kind: "noResponse" };

/** One call; every error is an ending of it. */
export async function callRail(
  { rails, events, calls }: DispatchDeps,
  name: RailName,
  call: (rail: Rail, signal: AbortSignal) => Promise<RailState | undefined>,
): Promise<RailResponse | { readonly kind: "notReceived" }> {
  try {
    const state = await calls.within((signal) => call(rails[name], signal));
    return state === undefined ? { kind: "notReceived" } : { kind: "responded", state: parseState(state) };
  } catch (error) {
    if (error instanceof RailDown) return { kind: "unreachable" };
    if (!calls.stopped) events.callFailed(name, error);
    return { kind: "noResponse" };
  }
}
