/** `--reason` of a command that proposes an operator's act. */
import type { Command } from "commander";

export interface ReasonFlags {
  readonly reason?: string;
}

export function withReason(command: Command): Command {
  return command.option("--reason <text>", "why; needed where operators are in charge (titian operators)");
}
