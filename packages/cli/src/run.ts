/** Runs a command; shows errors to the user and converts them to exit codes. */
import { CommanderError } from "commander";
import type { ExitCode } from "./cli-error.ts";
import { note } from "./output.ts";
import { createProgram } from "./program.ts";
import { visibleLines } from "./tables/plain.ts";

/** Runs the process's command line and ends the process. */
export async function run(): Promise<never> {
  let exitCode: ExitCode = 0;
  try {
    const program = await createProgram((code) => {
      exitCode = code;
    });
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { explainError } = await import("./explain-error.ts");
      const explained = explainError(error);
      // An error may quote what others wrote.
      note(visibleLines(explained.text));
      exitCode = explained.exitCode;
    }
  }
  // An open connection must not keep a finished command alive.
  process.exit(exitCode);
}
