/** `titian sandbox`: partners, accounts and credentials of the running sandbox; its clock; faults on purpose. */
import type { Command } from "commander";
import { addSandboxClock } from "./clock/clock-command.ts";
import type { CredentialsFlags } from "./sandbox/show-credentials.ts";
import { addSandboxFault } from "./faults/sandbox-fault-command.ts";

const examples = `
Examples:
  titian sandbox credentials
  titian sandbox credentials --json | jq -r '.partners[0].partnerId'
  titian sandbox credentials --json --show-secrets > partner-keys.json`;

export function addSandbox(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .description("show the running sandbox, move its clock, and let calls meet faults");
  sandbox
    .command("credentials")
    .description("list partners, accounts, merchants and rail scenarios of the sandbox")
    .option("--json", "as JSON")
    .option("--show-secrets", "with client secrets, private keys and the control token")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .addHelpText("after", examples)
    .action(async (flags: CredentialsFlags) => {
      const { showCredentials } = await import("./sandbox/show-credentials.ts");
      showCredentials(flags);
    });
  addSandboxClock(sandbox);
  addSandboxFault(sandbox);
}
