/** `titian sandbox fault`: faults on purpose for the next calls of a partner. */
import { Argument, type Command } from "commander";
import type { SandboxFlags } from "../control/sandbox-calls.ts";
import { addSandboxOptions } from "../options/sandbox-options.ts";
import type { AddFaultFlags } from "./fault-actions.ts";

const actions = () => import("./fault-actions.ts");

const kinds = ["loseAnswer", "delay", "error500", "error503", "error429", "breakOff"];

const help = `
  loseAnswer                     carried out; the connection is cut without an answer
  delay                          carried out; answered late
  error500, error503, error429   answered so; nothing is carried out
  breakOff                       the connection is cut; nothing is carried out

Faults are met in the order they were added, by authenticated calls; those for tokens meet one only where --operation
names them. They are kept in the database.

Examples:
  titian sandbox fault add alpha loseAnswer --operation 18
  titian sandbox fault add alpha delay --next 10 --delay 40s
  titian sandbox fault list alpha
  titian sandbox fault clear alpha`;

export function addSandboxFault(sandbox: Command): void {
  const fault = sandbox
    .command("fault")
    .description("let the next calls of a partner meet a fault, to try what its software does then")
    .addHelpText("after", help);
  addSandboxOptions(fault.command("add"))
    .description("add a fault")
    .argument("<partner>", "its X-PARTNER-ID")
    .addArgument(new Argument("<fault>", "what its calls meet").choices(kinds))
    .option("--next <n>", "so many calls", "1")
    .option("--delay <duration>", "of a delay: up to 60s (default: 5s)")
    .option("--operation <name>", "only calls of this operation, by name, service code or path")
    .addHelpText("after", help)
    .action(async (partner: string, kind: string, flags: AddFaultFlags) =>
      (await actions()).addFault(partner, kind, flags),
    );
  addSandboxOptions(fault.command("list"))
    .description("list the faults that are left")
    .argument("<partner>", "its X-PARTNER-ID")
    .action(async (partner: string, flags: SandboxFlags) => (await actions()).listFaults(partner, flags));
  addSandboxOptions(fault.command("clear"))
    .description("remove all faults")
    .argument("<partner>", "its X-PARTNER-ID")
    .action(async (partner: string, flags: SandboxFlags) => (await actions()).clearFaults(partner, flags));
}
