/** `titian rails adopt` and `owed`: what a rail carried and a restored database has forgotten is written back. */
import type { Argument, Command } from "commander";
import type { RailName } from "@titian/server/admin";
import type { End } from "../cli-error.ts";
import type { AdoptFlags } from "./adopt-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./adopt-actions.ts");

const adoptHelp = `
Of lines that titian rails reconcile lists as ahead: writes each payment back as it was accepted, with its number, the
partner's numbers, and the debit of amount and fee, by an act with your reason. Limits and hours do not reject it: the money
has left. A payer who cannot be debited owes it (titian rails owed), and restored:<currency> pays. What the rail reported
of it is recorded once the rail is opened. An item of a bulk brings the open lines of its whole bulk along. Repeating it is safe.
Of a line that is refused for good: settle it with the partner, then titian rails decide --carried.

Examples:
  titian rails adopt skn 01M7Z8RFFEE00SNE7YAN8SN9KR --reason "restored to 24 November, 09:30; SKN desk has it"
  titian rails adopt skn --all --reason "restored to 24 November, 09:30"

Exit codes: 0 adopted, now or before · 1 some were refused, as it says · 2 invalid command line.`;

const owedHelp = `
Payments that were written back, and that their payers could not be debited with. What was rejected or returned since is not
owed any more. At most 1,000 are shown, the oldest first.`;

/** Adds the commands about forgotten payments to `titian rails`. */
export function addRailAdopt(command: Command, railArgument: () => Argument, end: End): void {
  command
    .command("adopt")
    .description("write back what a file rail carried and a restored database has forgotten")
    .addArgument(railArgument())
    .argument("[reference-no...]", "the numbers, as titian rails reconcile shows them")
    .option("--all", "all lines that are ahead and not decided on")
    .requiredOption("--reason <text>", "why it is right, and where that is written")
    .addHelpText("after", adoptHelp)
    .action(async (rail: RailName, numbers: readonly string[], flags: AdoptFlags) =>
      end(await (await actions()).adopt(rail, numbers, flags)),
    );
  command
    .command("owed")
    .description("list payments that were written back, and that their payers could not be debited with")
    .addArgument(railArgument().argOptional())
    .option("--json", "as JSON")
    .addHelpText("after", owedHelp)
    .action(async (rail: RailName | undefined, flags: { readonly json?: true }) =>
      (await actions()).listOwed(rail, flags),
    );
}
