/** `titian account move` and `moves`: accounts in other cells than their numbers belong to. */
import type { Command } from "commander";
import { withActOptions } from "../options/act-options.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { MoveFlags, PlacesFlags } from "./move-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./move-actions.ts");

const moveHelp = `
Calls for an account are answered 503xx00 for some seconds, and go on in its new cell. Its
partners need both cells before (titian partner change <id> --cells 0,1), and it stays where
it is while something is held on it, or a transfer or a request for payment is open.

Examples:
  titian account move 1001000005 --to 1
  titian account move --file numbers.txt --to 1 --reason "accounts of the branch in Medan"

Exit codes: 0 all have moved · 1 one stays · 2 invalid command line · 5 waits for the approval of another operator
(titian act).`;

export function addMoves(account: Command): void {
  withActOptions(
    account
      .command("move")
      .description("move accounts to another cell, and wait until they are there")
      .argument("[account no...]")
      .requiredOption("--to <cell>", "number of the cell; 0: home")
      .option("--file <path>", "account numbers, one a line"),
  )
    .option("--json", "as JSON")
    .addHelpText("after", moveHelp)
    .action(async (accountNos: readonly string[], flags: MoveFlags) => (await actions()).move(accountNos, flags));
  account
    .command("moves")
    .description("list accounts that were moved, are moving, or did not move when they were asked to")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--after <number>", "start after this account")
    .option("--json", "as JSON")
    .action(async (flags: PlacesFlags) => (await actions()).places(flags));
}
