/** Actions of `titian rails normal|slow|limbo|down` and `settle`. */
import type { RailName } from "@titian/server/admin";
import { type SandboxFlags, sandboxCalls } from "../control/sandbox-calls.ts";
import { formatJson, print } from "../output.ts";
import { type RailMode, railModes } from "./rail-modes.ts";

export async function setRailMode(rail: RailName, mode: RailMode, flags: SandboxFlags): Promise<void> {
  const answer = await sandboxCalls(flags)("POST /rails/{rail}/mode", { params: { rail }, body: { mode } });
  print(flags.json === true ? formatJson(answer) : `The rail ${rail} is in the mode ${mode}: ${railModes[mode]}.`);
}

export async function settleRail(rail: RailName, flags: SandboxFlags): Promise<void> {
  const answer = await sandboxCalls(flags)("POST /rails/{rail}/settle", { params: { rail } });
  print(flags.json === true ? formatJson(answer) : `Settled: ${answer.settled} that waited on the rail ${rail}.`);
}
