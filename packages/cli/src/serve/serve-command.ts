/** `titian serve`: runs the service until it is stopped. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";

const examples = `
Without DATABASE_URL it runs the sandbox with embedded PostgreSQL in TITIAN_DATA_DIR (.titian).

Examples:
  titian serve
  PORT=0 TITIAN_DATA_DIR=/tmp/titian titian serve
  DATABASE_URL=postgres://… TITIAN_MASTER_KEY=… TITIAN_PROVIDER_KEY=… TITIAN_BANK_CODE=… titian serve

Start on a restored database with --inquiries-only (or TITIAN_INQUIRIES_ONLY=1) on every node, compare what the rails
report (titian rails set-aside), then start without it.

SIGTERM and Ctrl-C drain the service and exit with 0; a second one exits at once.
With TITIAN_WORKERS above 1, SIGHUP replaces the workers one after the other.`;

export function addServe(program: Command, end: End): void {
  program
    .command("serve")
    .description("run the service (settings come from the environment)")
    .option("--inquiries-only", "after a restore: take no writes, run no jobs, acknowledge no results of rails")
    .addHelpText("after", examples)
    .action(async (flags: { readonly inquiriesOnly?: true }) => {
      const { serve } = await import("./serve.ts");
      end(await serve(flags));
    });
}
