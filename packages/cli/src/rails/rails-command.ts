/**
 * `titian rails`: what is pending on the rails; validates their data, holidays and banks; releases a file rail's directory; steers
 * simulated rails.
 */
import { Argument, type Command } from "commander";
import type { RailName } from "@titian/server/admin";
import type { End } from "../cli-error.ts";
import { addRailAdopt } from "./rail-adopt-command.ts";
import { addRailDirectory } from "./rail-directory-command.ts";
import { addRailModes } from "./rail-mode-command.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./rail-actions.ts");

const reported = ["settled", "rejected", "returned", "pending"];

const rails: readonly RailName[] = ["interbank", "rtgs", "skn"];

const examples = `
Reads the files of TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, or those of this release, as the
service does at its start, without a database. Warns when the last holiday is less than 60 days ahead, or past.

Examples:
  titian rails check
  TITIAN_HOLIDAYS_FILE=/etc/titian/holidays.json titian rails check

Exit codes: 0 valid · 2 invalid; every error is listed.`;

const setAsideHelp = `
unknown: no transfer of the rail has the number. After a restore of the database the rail may have carried a payment that
the ledger has forgotten.
conflict: the transfer has another final result, which stands. One of both was paid wrongly.

Below them, the lines of a file rail's result files that nobody can understand, the newest first, with 1,000 characters of each
in JSON: correct one by another line. Line 0 stands for a whole file.

At most 1,000 of both are shown. Results that are closed stay in the database.`;

const closeHelp = `
Closes this one alone: what the rail reported otherwise of the number stays on the list. One that is closed stays closed
when the rail reports it again.

Example:
  titian rails close-set-aside skn 01M7Z8RFFEE00SNE7YAN8SN9KR settled

Exit codes: 0 closed · 1 none is open · 2 invalid command line.`;

const releaseHelp = `
A file rail stops with a directory that lacks instructions which the database has as written: it is another one, or an
older copy. If its own is lost for good, resolve the rail's pending transfers, and release it: what was written so far is
not expected in a directory any more, and is exported to none.

Exit codes: 0 released · 1 transfers are pending, or not confirmed · 2 invalid command line.`;

const takeOverHelp = `
The lines of the directory that the database does not have are recorded as handed over, and never exported again. For a
directory of the release before, once, with its node stopped. And behind a restore of the database, once you have compared
those lines with the rail's records: a repeat of such a payment then gets its result.

Example:
  titian rails take-over-directory skn /var/lib/titian/rails/skn

Exit codes: 0 taken over · 1 not confirmed, or a line cannot be read · 2 invalid command line.`;

export function addRails(program: Command, end: End): void {
  const command = program
    .command("rails")
    .alias("rail")
    .description(
      "list what is pending on rails and results set aside, check their data, release or take over a file rail's directory, steer rails of the sandbox",
    );
  command
    .command("list")
    .description("list the rails: open or closed, pending transfers, and the sum of what is on their suspense accounts")
    .option("--json", "as JSON")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
  command
    .command("check")
    .description("validate the data and show it")
    .addHelpText("after", examples)
    .action(async () => {
      (await actions()).check();
    });
  command
    .command("set-aside")
    .description(
      "list results of rails that could not be recorded, and lines of result files that cannot be understood",
    )
    .option("--json", "as JSON")
    .addHelpText("after", setAsideHelp)
    .action(async (flags: { readonly json?: true }) => (await actions()).listSetAsideResults(flags));
  command
    .command("close-set-aside")
    .description("take a result off that list, once the payment is accounted for")
    .addArgument(new Argument("<rail>", "the rail").choices(rails))
    .argument("<reference-no>", "the number, as the list shows it")
    .addArgument(new Argument("<reported>", "what the rail reported, as the list shows it").choices(reported))
    .addHelpText("after", closeHelp)
    .action(async (rail: RailName, referenceNo: string, state: string) =>
      end(await (await actions()).closeSetAsideResult(rail, referenceNo, state)),
    );
  const railArgument = () => new Argument("<rail>", "the rail").choices(rails);
  addRailModes(command, railArgument);
  addRailDirectory(command, railArgument, end);
  addRailAdopt(command, railArgument, end);
  command
    .command("release-directory")
    .description("let a file rail start with another directory after its own is lost")
    .addArgument(new Argument("<rail>", "the rail").choices(rails))
    .option("--yes", "skip confirmation")
    .addHelpText("after", releaseHelp)
    .action(async (rail: RailName, flags: { readonly yes?: true }) =>
      end(await (await actions()).releaseOf(rail, flags)),
    );
  command
    .command("take-over-directory")
    .description("let the lines of a file rail's directory count as handed over")
    .addArgument(new Argument("<rail>", "the rail").choices(rails))
    .argument("<directory>", "the rail's own folder")
    .option("--yes", "skip confirmation")
    .addHelpText("after", takeOverHelp)
    .action(async (rail: RailName, directory: string, flags: { readonly yes?: true }) =>
      end(await (await actions()).takeOver(rail, directory, flags)),
    );
}
