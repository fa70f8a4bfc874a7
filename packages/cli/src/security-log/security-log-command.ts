/** `titian security-log`: verifies the files of the security log, and exports lines of them. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { ExportFlags, VerifyFlags } from "./security-log-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./security-log-actions.ts");

const examples = `
Examples:
  titian security-log verify security.jsonl.1 security.jsonl
  titian security-log verify security.jsonl --through 5f0c…
  titian security-log export security.jsonl --from 2026-11-01 --to 2026-11-30 --partner alpha --csv

Several files are those of one process in their order, the oldest first. Lines that are missing at the end of the last file
are found by the hash of a line that was noted elsewhere, as verify prints it (--through), and by the node's next start.

Exit codes of verify: 0 as it was written, 1 not so.`;

export function addSecurityLog(program: Command, end: End): void {
  const log = program
    .command("security-log")
    .description("verify the files of the security log, export lines of them")
    .addHelpText("afterAll", examples);
  log
    .command("verify")
    .description("find the first line that was removed, changed or moved")
    .argument("<files...>", "its files, the oldest first")
    .option("--through <hash>", "a line of this hash has to be there")
    .option("--json", "the result as JSON")
    .action(async (files: readonly string[], flags: VerifyFlags) => end(await (await actions()).verify(files, flags)));
  log
    .command("export")
    .description("print lines as JSON, or as CSV for a spreadsheet")
    .argument("<files...>", "its files, the oldest first")
    .option("--from <day>", "from this day on (WIB), such as 2026-11-01")
    .option("--to <day>", "up to this day, which is included")
    .option("--partner <id>", "of this partner alone, as claimed where authentication failed")
    .option("--csv", "as CSV")
    .action(async (files: readonly string[], flags: ExportFlags) => (await actions()).exportLines(files, flags));
}
