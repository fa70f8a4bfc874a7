/** Options of commands that steer the running sandbox. */
import type { Command } from "commander";

export function addSandboxOptions(command: Command): Command {
  return command
    .option("--json", "as JSON")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)");
}
