/** `titian secrets`: what the database has sealed, under a new master key. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { ResealFlags } from "./secrets-actions.ts";

const resealHelp = `
A job of the machine: run it as the owner of the database, with the new key in TITIAN_MASTER_KEY and the one before in
TITIAN_MASTER_KEY_PREVIOUS, once all nodes were restarted with both. Calls are served meanwhile. It may be ended at any
moment and repeated, and two at once do no harm.

Examples:
  titian secrets reseal --check
  titian secrets reseal

Exit codes: 0 nothing is left · 1 some is left, or nothing was done · 2 invalid command line.`;

export function addSecrets(program: Command, end: End): void {
  program
    .command("secrets")
    .description("seal client secrets and keys of the search for a new master key")
    .command("reseal")
    .description("seal for the current master key what names the one before")
    .option("--check", "change nothing: count what names another master key")
    .option("--lost <key id>", "that master key is lost: nodes seal for the current one from now on")
    .option("--json", "as JSON")
    .addHelpText("after", resealHelp)
    .action(async (flags: ResealFlags) => end(await (await import("./secrets-actions.ts")).reseal(flags)));
}
