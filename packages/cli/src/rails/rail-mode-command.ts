/** `titian rails normal|slow|limbo|down` and `settle`: steer a simulated rail of the sandbox. */
import type { Argument, Command } from "commander";
import type { RailName } from "@titian/server/admin";
import type { SandboxFlags } from "../control/sandbox-calls.ts";
import { addSandboxOptions } from "../options/sandbox-options.ts";
import { type RailMode, railModes } from "./rail-modes.ts";

const actions = () => import("./rail-mode-actions.ts");

const help = `
A mode is kept until it is set again. In the sandbox only, of rails that it simulates.

Examples:
  titian rail slow interbank
  titian rail normal interbank
  titian rail settle skn`;

export function addRailModes(rails: Command, railArgument: () => Argument): void {
  for (const [mode, does] of Object.entries(railModes) as [RailMode, string][]) {
    addSandboxOptions(rails.command(mode))
      .description(`put a rail of the sandbox into the mode ${mode}: ${does}`)
      .addArgument(railArgument())
      .addHelpText("after", help)
      .action(async (rail: RailName, flags: SandboxFlags) => (await actions()).setRailMode(rail, mode, flags));
  }
  addSandboxOptions(rails.command("settle"))
    .description("end at once what waits on a rail of the sandbox, in any mode")
    .addArgument(railArgument())
    .addHelpText("after", help)
    .action(async (rail: RailName, flags: SandboxFlags) => (await actions()).settleRail(rail, flags));
}
