/** `titian database`: partitions, putting old ones away, and the search made again. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { AttachFlags, DetachFlags } from "./database-actions.ts";
import { collect } from "../options/collect.ts";
import type { ConfirmFlags, EndKeysFlags } from "./search-actions.ts";

const formerKeyHelp = "a former public key of the provider, in PEM, that what is detached was signed with; repeatable";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./database-actions.ts");
const searchActions = () => import("./search-actions.ts");

const detachHelp = `
Run it as the role of jobs (titian migrate --job-role) or the owner of the database; calls are served meanwhile. Refused, with the reasons, for the last 90 days, for
what no clean audit has gone through, while anything of that time is open, and while another cell has not got all that was sent
to it then (TITIAN_ADMIN_CELLS or TITIAN_CELLS has the addresses, for a cell's database TITIAN_ADMIN_DATABASE_URL home's). Hold events stay until all holds of their
period are closed for good: none of their captures can be refunded, for 30 days. An inquiry about what is detached is
answered 500xx00; a repeat 404xx18 or 409xx00, and is never carried out again. What went away is counted, hashed and
signed with TITIAN_PROVIDER_KEY: attach adds only what agrees with it, and titian audit looks for what was removed.

Examples:
  titian database partitions
  titian database detach --before 2026-01-01
  titian database attach entries_20251103

Exit codes: 0 detached · 1 refused, or not confirmed · 2 invalid command line.`;

const searchHelp = `
Run it as the role of jobs (titian migrate --job-role) or the owner of the database; calls are served meanwhile. The words of the search are removed, and a node of the
service makes them again, from the oldest record that TITIAN_KEEP_SEARCH_DAYS keeps, TITIAN_SEARCH_RECORDS_PER_SECOND of
them a second. Until then records are found by their numbers alone: titian_search_behind_seconds says how far it is.`;

const endKeysHelp = `
Run it as the owner of the database. Names of beneficiaries and payers, and accounts at other banks, are searched for by
hashes under a key of the month in which their record was made. Without that key nothing finds them, and nothing makes
them again; the records themselves stay. It cannot be undone. A backup of the database has the keys that it had then.

Example:
  titian database end-search-keys --before 2026-01-01

Exit codes: 0 ended · 1 not confirmed, or not possible · 2 invalid command line.`;

export function addDatabase(program: Command, end: End): void {
  const command = program
    .command("database")
    .description("list partitions, detach and attach them; make the search again");
  command
    .command("partitions")
    .description("list the partitions with their periods, rows and sizes")
    .option("--json", "as JSON; times in epoch milliseconds")
    .action(async (flags: { readonly json?: true }) => (await actions()).partitions(flags));
  command
    .command("detach")
    .description("detach the partitions of entries, accepted requests and hold events that end before a date")
    .requiredOption("--before <date>", "a date by UTC, such as 2026-01-31")
    .option("--public-key <file>", formerKeyHelp, collect)
    .option("--yes", "skip confirmation")
    .addHelpText("after", detachHelp)
    .action(async (flags: DetachFlags) => end(await (await actions()).detach(flags)));
  command
    .command("attach")
    .description("attach the period of a detached partition again, as the owner of the database")
    .argument("<partition>", "name of one of its tables")
    .option("--public-key <file>", formerKeyHelp, collect)
    .action(async (name: string, flags: AttachFlags) => (await actions()).attach(name, flags));
  command
    .command("rebuild-search")
    .description("remove the words of the search, so that the service makes them again")
    .option("--yes", "skip confirmation")
    .addHelpText("after", searchHelp)
    .action(async (flags: ConfirmFlags) => end(await (await searchActions()).rebuildSearch(flags)));
  command
    .command("end-search-keys")
    .description("end the search for names and accounts at other banks of the months before a date")
    .requiredOption("--before <date>", "a date by UTC, such as 2026-01-31; months that end before it")
    .option("--yes", "skip confirmation")
    .addHelpText("after", endKeysHelp)
    .action(async (flags: EndKeysFlags) => end(await (await searchActions()).endKeys(flags)));
}
