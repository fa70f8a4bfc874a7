/** `titian hold`: shows a hold, lists the open holds of an account or a merchant. */
import type { Command } from "commander";
import type { ListFlags, PageFlags } from "./hold-actions.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./hold-actions.ts");

const examples = `
Examples:
  titian hold show 01JD7K3M9QZ8V2X4B6N8P0R2T4
  titian hold list --account 812345678901
  titian hold list --merchant FUEL-7 --partner SHOP01`;

export function addHold(program: Command): void {
  const hold = program.command("hold").description("show a hold, list open holds").addHelpText("afterAll", examples);
  paged(hold.command("show"))
    .description("show a hold: state, amounts, and its events, newest first")
    .argument("<number>", "its referenceNo, or the captureNo, voidNo or refundNo of one of its events")
    .option("--before <sequence>", "start before this event")
    .action(async (number: string, flags: PageFlags) => (await actions()).show(number, flags));
  paged(hold.command("list"))
    .description("list the open holds on an account, or of a merchant, newest first")
    .option("--account <number>", "holds on this payer account")
    .option("--merchant <id>", "holds of this merchant; needs --partner")
    .option("--partner <id>", "the merchant's partner")
    .option("--before <number>", "start before this hold")
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await actions()).list(flags));
}

function paged(command: Command): Command {
  return command.option("--limit <n>", limitHelp, pageSizeDefault);
}
