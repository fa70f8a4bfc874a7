/** Options of commands that propose an operator's act. */
import type { Command } from "commander";
import { type ReasonFlags, withReason } from "./reason.ts";

export interface ActFlags extends ReasonFlags {
  readonly ticket?: string;
}

export interface ReferenceFlags extends ActFlags {
  readonly reference?: string;
}

export function withActOptions(command: Command): Command {
  return withReason(command).option("--ticket <text>", "number of its case, elsewhere");
}

export function withReference(command: Command): Command {
  return withActOptions(
    command.option(
      "--reference <text>",
      "acts once for each; give it again to repeat a command whose outcome is unknown",
    ),
  );
}
