/** `titian migrate`: migrates the database to this release's schema. The sandbox migrates at its start. */
import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";

const examples = `
Run it as the owner of the database, before the first node of a release starts. It is idempotent, and concurrent runs
wait for each other.

Examples:
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate --application-role titian_app --administration-role titian_admin

The application role is the role of the service, in its DATABASE_URL: it gets the privileges it needs, and can neither
change nor delete a ledger entry, nor change partners, their credentials and merchants. Those are changed by commands, as
the administration role, in TITIAN_ADMIN_DATABASE_URL. Create both first: create role titian_app login password '…'.`;

interface MigrateFlags {
  readonly applicationRole?: string;
  readonly administrationRole?: string;
}

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("migrate the database of DATABASE_URL to this release's schema")
    .option("--application-role <role>", "grant the service's role its privileges")
    .option("--administration-role <role>", "grant the privileges of commands that change partners and merchants")
    .addHelpText("after", examples)
    .action(async (flags: MigrateFlags) => {
      const { applicationRole, administrationRole } = flags;
      if (applicationRole !== undefined && applicationRole === administrationRole)
        throw usageError(
          "The service and administration need a role each: name two in --application-role and --administration-role.",
        );
      const { createClock, migrate } = await import("@titian/server/admin");
      const { requireDatabaseUrl } = await import("../database-url.ts");
      const url = requireDatabaseUrl("The embedded database is migrated when the service starts.");
      const applied = await migrate(url, { ...flags, now: createClock().now(), onProgress: note });
      print(
        applied.length === 0
          ? "The schema was up to date."
          : `The schema is up to date: ${applied.length} migrations applied.`,
      );
      for (const role of [applicationRole, administrationRole])
        if (role !== undefined) print(`Granted privileges to ${role}.`);
    });
}
