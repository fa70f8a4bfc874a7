/** `titian find`: records by what people know of them. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { FindFlags } from "./find-action.ts";

const help = `
A record has every word: any number in any case, an amount with its day (without a day, of the last 31), an account of this
bank or of another, words of the beneficiary's or payer's name. Numbers are found at once, all else within two seconds, what
rejected requests have within three.

Examples:
  titian find TRX-2026-000001
  titian find 250000 2026-11-25
  titian find 250.000 25 nov siti
  titian find 8880012345 --json

Exit codes: 0 found · 1 nothing found, or not possible · 2 invalid command line.`;

export function addFind(program: Command, end: End): void {
  program
    .command("find")
    .description("find payments, transfers and accounts by any number, an amount and its day, an account or a name")
    .argument("<words...>", "what is known; a record has all of it")
    .option("--partner <id>", "records of this partner only")
    .option("--json", "as JSON")
    .addHelpText("after", help)
    .action(async (words: readonly string[], flags: FindFlags) => {
      // Loaded when it runs: help needs only the options.
      const { findRecords } = await import("./find-action.ts");
      end(await findRecords(words, flags));
    });
}
