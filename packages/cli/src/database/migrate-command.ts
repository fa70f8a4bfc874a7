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
the administration role, in TITIAN_ADMIN_DATABASE_URL. Create both first: create role titian_app login password '…'.

The console role is that of TITIAN_CONSOLE_DATABASE_URL, by which a node's console reads, proposes and approves, each time in a
session of the operator who has logged in. The operator role is for people: create role titian_operator nologin, and grant it to
the role of each operator who works with commands on the database.`;

interface MigrateFlags {
  readonly applicationRole?: string;
  readonly administrationRole?: string;
  readonly consoleRole?: string;
  readonly operatorRole?: string;
}

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("migrate the database of DATABASE_URL to this release's schema")
    .option("--application-role <role>", "grant the service's role its privileges")
    .option("--administration-role <role>", "grant the privileges of commands that change partners and merchants")
    .option("--console-role <role>", "grant the privileges of a node's console, in which operators have sessions")
    .option("--operator-role <role>", "grant the privileges of operators with connections of their own")
    .addHelpText("after", examples)
    .action(async (flags: MigrateFlags) => {
      const { applicationRole, administrationRole, consoleRole, operatorRole } = flags;
      const roles = [applicationRole, administrationRole, consoleRole, operatorRole].filter(
        (role) => role !== undefined,
      );
      if (new Set(roles).size < roles.length)
        throw usageError(
          "The service, administration, the console and operators need a role each: name different ones.",
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
      for (const role of roles) print(`Granted privileges to ${role}.`);
    });
}
