/** `titian rails`: the directory of a file rail against the database, and what an operator decides of their differences. */
import { type Argument, type Command, Option } from "commander";
import type { RailName } from "@titian/server/admin";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import type { DecideFlags } from "../rails/directory-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("../rails/directory-actions.ts");

const decideHelp = `
Of a line that the database has forgotten (ahead), once the rail's operator has said what became of it:
  --not-carried   the rail never carried it, and never will: a repeat of the partner is a new instruction

Of an instruction that no file has (behind):
  --carried       the rail has it: nothing is exported again
  --export-again  the rail does not have it: it is written once more when its transfer is submitted again, with the same
                  number, key and sequence

A decision is final, and acts once the rail is opened.

Example:
  titian rails decide skn 01M7Z8RFFEE00SNE7YAN8SN9KR --not-carried --reason "SKN desk, mail of 24 November"

Exit codes: 0 decided, now or before · 1 not listed, or decided otherwise · 2 invalid command line.`;

/** Adds the commands about directories to `titian rails`. */
export function addRailDirectory(command: Command, railArgument: () => Argument, end: (code: ExitCode) => void): void {
  command
    .command("decide")
    .description("decide on a difference between a file rail's directory and the database")
    .addArgument(railArgument())
    .argument("<reference-no>", "the number, as titian rails reconcile shows it")
    .addOption(new Option("--not-carried", "ahead: the rail never carried it").conflicts(["carried", "exportAgain"]))
    .addOption(new Option("--carried", "behind: the rail has it").conflicts("exportAgain"))
    .option("--export-again", "behind: the rail does not have it")
    .requiredOption("--reason <text>", "who said so, and where that is written")
    .addHelpText("after", decideHelp)
    .action(async (rail: RailName, referenceNo: string, flags: DecideFlags) => {
      await (await actions()).decide(rail, referenceNo, flags);
      end(exitCodes.done);
    });
}
