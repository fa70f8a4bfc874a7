/** `titian sandbox clock`: shows and moves the business time of the sandbox. */
import type { Command } from "commander";
import type { SandboxFlags } from "../control/sandbox-calls.ts";
import { addSandboxOptions } from "../options/sandbox-options.ts";

const actions = () => import("./clock-actions.ts");

const help = `
What becomes due by a move is done before the command ends: holds expire, rails answer and settle, open transfers are asked
about. Time never moves back: a new data directory starts at the real time.

Examples:
  titian sandbox clock
  titian sandbox clock advance 1d
  titian sandbox clock to 2026-11-25T10:00:30+07:00`;

export function addSandboxClock(sandbox: Command): void {
  const clock = sandbox
    .command("clock")
    .description("show the sandbox's business time, or move it forward")
    .addHelpText("after", help);
  addSandboxOptions(clock.command("show", { isDefault: true }))
    .description("show the time; what `titian sandbox clock` alone does")
    .action(async (flags: SandboxFlags) => (await actions()).showClock(flags));
  addSandboxOptions(clock.command("advance"))
    .description("move the time forward by so much")
    .argument("<duration>", "days, hours, minutes or seconds, as 7d, 12h, 45m, 90s")
    .action(async (duration: string, flags: SandboxFlags) => (await actions()).advanceClock(duration, flags));
  addSandboxOptions(clock.command("to"))
    .description("move the time forward to this one")
    .argument("<time>", "ISO 8601, such as 2026-11-25T10:00:30+07:00")
    .action(async (time: string, flags: SandboxFlags) => (await actions()).moveClock(time, flags));
}
