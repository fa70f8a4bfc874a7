/** Starts a rail in a process of its own, calls it there, and kills it. */
import type { Instruction, RailResult } from "../../../packages/server/src/rails/rail.ts";
import { type ChildNode, forkChild } from "../../support/child-node.ts";
import type { RailPlan } from "./open-rail.ts";

export type RailCall =
  | { readonly kind: "submit"; readonly instruction: Instruction }
  | { readonly kind: "results"; readonly most: number }
  | { readonly kind: "acknowledge"; readonly results: readonly RailResult[] };

/** Outcome of a call; "unanswered" also when the process died. */
export type RailAnswer =
  | { readonly kind: "answered"; readonly value: unknown }
  /** `error`: name of the one it ended in. */
  | { readonly kind: "unanswered"; readonly error: string | undefined };

export interface ForkedRail extends Pick<ChildNode<RailCall, RailAnswer>, "pid" | "kill">, AsyncDisposable {
  call(call: RailCall): Promise<RailAnswer>;
}

export async function forkRail(plan: RailPlan): Promise<ForkedRail> {
  const script = new URL("./rail-process.ts", import.meta.url);
  const { pid, kill, request } = await forkChild<RailPlan, RailCall, RailAnswer>(script, plan);
  return {
    pid,
    kill,
    call: async (call) => (await request(call)) ?? { kind: "unanswered", error: undefined },
    [Symbol.asyncDispose]: kill,
  };
}
