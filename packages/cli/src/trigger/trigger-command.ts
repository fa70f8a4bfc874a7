/** `titian trigger`: makes an event happen in the sandbox, to its notification. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { TriggerFlags } from "./run-trigger.ts";

const help = `
A real transfer or bulk is sent, signed, from an account of the partner to an account of the sandbox's scenarios; its rail is
settled at once, and so is whatever else waits on that rail. Where RTGS or SKNBI is closed, the sandbox's clock is moved to
its next opening, and the command says so: the clock never moves back. --keep-clock fails instead.

Exit codes: 0 notified, or kept since the partner has no address · 1 rejected, or not accepted by the receiver · 2 invalid
command line · 3 the outcome of the call is unknown.

Examples:
  titian trigger
  titian trigger rtgs-settled
  titian trigger bulk-mixed --partner beta --amount 50000.00
  titian trigger skn-returned --json | jq -r .referenceNo`;

export function addTrigger(program: Command, end: End): void {
  program
    .command("trigger")
    .summary("make an event happen in the sandbox, such as rtgs-settled; alone, it lists the events")
    .description("Makes an event happen in the sandbox, and shows what became of its notification.")
    .argument("[event]", "without it, the events are listed")
    .option("--partner <id>", "whose event (default: the first partner of the file)")
    .option("--amount <amount>", "amount in IDR, of a bulk that of each item")
    .option("--keep-clock", "do not move the sandbox's clock when the rail is closed")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .option("--json", "as JSON")
    .addHelpText("after", help)
    .action(async (event: string | undefined, flags: TriggerFlags) => {
      const { listEvents, trigger } = await import("./run-trigger.ts");
      if (event === undefined) listEvents(flags);
      else return end(await trigger(event, flags));
    });
}
