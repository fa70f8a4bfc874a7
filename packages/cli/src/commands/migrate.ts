/** `titian migrate`: migrates the database to this release's schema. The sandbox migrates at its start. */
import type { Command } from "commander";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";

const examples = `
Run it as the owner of the database, before the first node of a release starts. It is idempotent, and concurrent runs
wait for each other.

Examples:
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate --application-role titian_app

The application role is the role of the service: it gets the privileges it needs, and can neither change nor delete a
ledger entry. Create it first: create role titian_app login password '…'.`;

export function addMigrate(program: Command, end: (code: ExitCode) => void): void {
  program
    .command("migrate")
    .description("migrate the database of DATABASE_URL to this release's schema")
    .option("--application-role <role>", "grant the service's role its privileges")
    .addHelpText("after", examples)
    .action(async (flags: { readonly applicationRole?: string }) => {
      const { createClock, migrate } = await import("@titian/server/admin");
      const { requireDatabaseUrl } = await import("../database-url.ts");
      const url = requireDatabaseUrl("The embedded database is migrated when the sandbox starts.");
      const applied = await migrate(url, { ...flags, now: createClock().now(), onProgress: note });
      print(
        applied.length === 0
          ? "The schema was up to date."
          : `The schema is up to date: ${applied.length} migrations applied.`,
      );
      if (flags.applicationRole !== undefined) print(`Granted privileges to ${flags.applicationRole}.`);
      end(exitCodes.done);
    });
}
