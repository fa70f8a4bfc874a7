/** Options of commands that propose an operator's act. */
import type { Command } from "commander";

export interface ActFlags {
  readonly reason?: string;
  readonly ticket?: string;
}

export interface ReferenceFlags extends ActFlags {
  readonly reference?: string;
}

export function withActOptions(command: Command): Command {
  return command
    .option("--reason <text>", "why; needed where operators are in charge (titian operators)")
    .option("--ticket <text>", "number of its case, elsewhere");
}

export function withReference(command: Command): Command {
  return withActOptions(
    command.option(
      "--reference <text>",
      "acts once for each; give it again to repeat a command whose outcome is unknown",
    ),
  );
}
