/** `titian switch`: closes a rail, a service or the intake of all writes, and opens it again. */
import type { Command } from "commander";
import { withActOptions } from "../options/act-options.ts";
import type { SwitchFlags } from "./switch-actions.ts";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./switch-actions.ts");

const examples = `
Examples:
  titian switch list
  titian switch close rail:interbank --reason "BI-FAST answers late"
  titian switch close service:63 --reason "incident 2041"
  titian switch close intake --reason "the ledger is moved"
  titian switch reopen rail:interbank --reason "BI-FAST is back"

Closing takes effect at once, and another operator approves it within the day;
opening takes effect once another operator has approved it.`;

export function addSwitch(program: Command): void {
  const command = program
    .command("switch")
    .description("close a rail, a service or the intake of all writes, and open it again")
    .addHelpText("after", examples);
  command
    .command("list")
    .description("list rails, services and the intake: open, or closed since when and why")
    .option("--json", "as JSON, with totals")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
  withActOptions(command.command("close"))
    .description("close it at once, on every node within 2 s")
    .argument("<name>", "as titian switch list shows it")
    .option("--json", "as JSON")
    .action(async (name: string, flags: SwitchFlags) => (await actions()).close(name, flags));
  withActOptions(command.command("reopen"))
    .description("open it again, once another operator has approved that")
    .argument("<name>", "as titian switch list shows it")
    .option("--json", "as JSON")
    .action(async (name: string, flags: SwitchFlags) => (await actions()).reopen(name, flags));
}
