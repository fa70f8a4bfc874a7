/** `titian act`: lists and shows operators' acts, approves or refuses one that another operator has proposed. */
import type { Command } from "commander";
import type { ActKind } from "@titian/server/admin";
import type { End } from "../cli-error.ts";
import { limitHelp, pageSizeDefault } from "../options/page-size.ts";
import type { ConfirmFlags, ListFlags, RefuseFlags } from "./act-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./act-actions.ts");

const examples = `
Examples:
  titian act list --open
  titian act list --target 810000000001
  titian act approve 01a21860-5ad1-7000-8abc-51c9ab3ad5f1
  titian act approve-sheet adoption
  titian act refuse 01a21860-5ad1-7000-8abc-51c9ab3ad5f1 --reason "the customer called it off"

Whoever proposes an act does not approve it. A node carries out what was approved, within seconds.`;

export function addAct(program: Command, end: End): void {
  const act = program
    .command("act")
    .description("list operators' acts, show one, approve or refuse one")
    .addHelpText("afterAll", examples);
  act
    .command("list")
    .description("list acts, newest first")
    .option("--open", "only those that wait for an approval or a node")
    .option("--target <number>", "those on this account, or transfer (referenceNo)")
    .option("--limit <n>", limitHelp, pageSizeDefault)
    .option("--before <n>", "start before this act, as the page before says")
    .option("--json", "as JSON, with totals")
    .action(async (flags: ListFlags) => (await actions()).list(flags));
  act
    .command("show")
    .description("show an act: what it changes, who proposed it, who decided on it, what came of it")
    .argument("<id>", "its id")
    .action(async (id: string) => (await actions()).show(id));
  act
    .command("approve")
    .description("approve an act that another operator has proposed")
    .argument("<id>", "its id")
    .option("--yes", "skip confirmation")
    .action(async (id: string, flags: ConfirmFlags) => end(await (await actions()).approve(id, flags)));
  act
    .command("approve-sheet")
    .description("approve all acts of a kind that wait, at most 1,000, as one decision on their number and totals")
    .argument("<kind>", "such as funding; the call checks it")
    .option("--yes", "skip confirmation")
    .action(async (kind: ActKind, flags: ConfirmFlags) => end(await (await actions()).approveSheet(kind, flags)));
  act
    .command("refuse")
    .description("refuse an act, or take back your own")
    .argument("<id>", "its id")
    .requiredOption("--reason <text>", "why, for whoever proposed it")
    .action(async (id: string, flags: RefuseFlags) => end(await (await actions()).refuse(id, flags)));
}
