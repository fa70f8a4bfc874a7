/** `titian provider-key`: the public keys to give to partners. */
import type { Command } from "commander";

const help = `
The keys of TITIAN_PROVIDER_KEY and TITIAN_PROVIDER_KEY_NEXT, or of the running sandbox. Only public halves are shown.

Examples:
  titian provider-key show
  titian provider-key show --json`;

export function addProviderKey(program: Command): void {
  program
    .command("provider-key")
    .description("show the public keys that partners verify notifications with")
    .command("show")
    .description("show the key that signs now, and the next one, each with its id")
    .option("--json", "as JSON")
    .addHelpText("after", help)
    .action(async (flags: { readonly json?: true }) =>
      (await import("./provider-key-action.ts")).showProviderKeys(flags),
    );
}
