/** `titian rails`: the directory of a file rail against the database, and what an operator decides of their differences. */
import { type Argument, type Command, Option } from "commander";
import type { RailName } from "@titian/server/admin";
import type { End } from "../cli-error.ts";
import type { DecideFlags } from "./decide-actions.ts";
import type { ReconcileFlags } from "./reconcile-actions.ts";

/** Loaded when one runs: help needs only the options. */
const decideActions = () => import("./decide-actions.ts");
const reconcileActions = () => import("./reconcile-actions.ts");

const reconcileHelp = `
Reads the whole directory, all files, beside running nodes, and compares each line with the database. Differences are kept,
and stay listed with what is decided of them:

  ahead    a file has the line, and the database has forgotten it, as after a restore. Results are those that the rail's
           result files, and results set aside, tell of it
  behind   the database has it as written, and no file has it

Lines that are changed, another ledger's, of an earlier release, or that cannot be read are named with their file and
line: while there are some the rail is not opened. So are lines that stand twice, or that a crash cut off, which are no
hindrance. Of each list the first 10,000 are shown.

Exit codes: 0 nothing is open · 1 something is: titian rails decide · 2 invalid command line.`;

const openHelp = `
Compares as titian rails reconcile does. Once all that differs is decided, the rail goes on: behind every sequence that its
directory has, and on all nodes within two seconds. Where the directory was ahead, nodes take writes again.

Exit codes: 0 opened, now or before · 1 something is open, and listed · 2 invalid command line.`;

const directoryHelp = "the rail's own folder; without it, the one in TITIAN_RAIL_DIRECTORY";

const decideHelp = `
Of a line that the database has forgotten (ahead), once the rail's operator has said what became of it:
  --not-carried   the rail never carried it, and never will: a repeat of the partner is a new instruction
  --carried       the rail carried it, or may have, and titian rails adopt refuses it: nothing goes out under its key, and
                  nothing is booked. Settle it with the partner, and book it yourself

Of an instruction that no file has (behind):
  --carried       the rail has it: nothing is exported again
  --export-again  the rail does not have it: it is written once more when its transfer is submitted again, with the same
                  number, key and sequence

What the rail's own results contradict is not taken, nor is anything that they could while a file of them cannot be
read. A decision is final, and acts once the rail goes on: titian rails open.

Example:
  titian rails decide skn 01M7Z8RFFEE00SNE7YAN8SN9KR --not-carried --reason "SKN desk, mail of 24 November"

Exit codes: 0 decided, now or before · 1 not listed, or decided otherwise · 2 invalid command line.`;

/** Adds the commands about directories to `titian rails`. */
export function addRailDirectory(command: Command, railArgument: () => Argument, end: End): void {
  command
    .command("reconcile")
    .description("compare a file rail's directory with the database, and list what differs")
    .addArgument(railArgument())
    .argument("[directory]", directoryHelp)
    .option("--json", "as JSON")
    .addHelpText("after", reconcileHelp)
    .action(async (rail: RailName, directory: string | undefined, flags: ReconcileFlags) =>
      end(await (await reconcileActions()).reconcile(rail, directory, flags)),
    );
  command
    .command("open")
    .description("let a stopped file rail go on, once all that differs is decided")
    .addArgument(railArgument())
    .argument("[directory]", directoryHelp)
    .addHelpText("after", openHelp)
    .action(async (rail: RailName, directory: string | undefined) =>
      end(await (await reconcileActions()).open(rail, directory)),
    );
  command
    .command("decide")
    .description("decide on a difference between a file rail's directory and the database")
    .addArgument(railArgument())
    .argument("<reference-no>", "the number, as titian rails reconcile shows it")
    .argument("[directory]", directoryHelp)
    .addOption(new Option("--not-carried", "ahead: the rail never carried it").conflicts(["carried", "exportAgain"]))
    .addOption(new Option("--carried", "the rail has it; ahead: and it cannot be adopted").conflicts("exportAgain"))
    .option("--export-again", "behind: the rail does not have it")
    .requiredOption("--reason <text>", "who said so, and where that is written")
    .addHelpText("after", decideHelp)
    .action(async (rail: RailName, referenceNo: string, directory: string | undefined, flags: DecideFlags) =>
      (await decideActions()).decide(rail, { referenceNo, directory }, flags),
    );
}
