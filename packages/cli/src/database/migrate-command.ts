/** `titian migrate`: migrates the database to this release's schema. The sandbox migrates at its start. */
import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";

const examples = `
Run it as the owner of the database, before the first node of a release starts. It is idempotent, and concurrent runs
wait for each other.

With --distribute, on the coordinator of Citus, the schema that the search_path names becomes a distributed one: see
docs/guides/cells.md.

Examples:
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate
  DATABASE_URL=postgres://owner:…@db.example/titian titian migrate --application-role titian_app --administration-role titian_admin

The application role is the role of the service, in its DATABASE_URL: it gets the privileges it needs, and can neither
change nor delete a ledger entry, nor change partners, their credentials and merchants. Those are changed by commands, as
the administration role, in TITIAN_ADMIN_DATABASE_URL. Create both first: create role titian_app login password '…'.

The console role is that of TITIAN_CONSOLE_DATABASE_URL, by which a node's console reads, proposes and approves, each time in a
session of the operator who has logged in. The operator role is for people: create role titian_operator nologin, and grant it to
the role of each operator who works with commands on the database.

The audit role is for titian audit and for commands that only read; the job role detaches partitions and makes the search
again. Neither writes a table, proposes or approves; each is the role in DATABASE_URL where its commands run.`;

const roleOptions = {
  applicationRole: ["--application-role <role>", "grant the service's role its privileges"],
  administrationRole: [
    "--administration-role <role>",
    "grant the privileges of commands that change partners and merchants",
  ],
  consoleRole: ["--console-role <role>", "grant the privileges of a node's console, in which operators have sessions"],
  operatorRole: ["--operator-role <role>", "grant the privileges of operators with connections of their own"],
  auditRole: ["--audit-role <role>", "grant the privileges of titian audit and of commands that only read"],
  emergencyRole: ["--emergency-role <role>", "grant the right to open an operator's session while nobody can log in"],
  jobRole: ["--job-role <role>", "grant the privileges of jobs: detach partitions, make the search again"],
} as const;

type MigrateFlags = { readonly [Name in keyof typeof roleOptions]?: string } & { readonly distribute?: true };

export function addMigrate(program: Command): void {
  const command = program
    .command("migrate")
    .description("migrate the database of DATABASE_URL to this release's schema");
  for (const [flag, help] of Object.values(roleOptions)) command.option(flag, help);
  command.option("--distribute", "make the schema a distributed schema of Citus, all of it on one machine");
  command.addHelpText("after", examples).action(async ({ distribute, ...flags }: MigrateFlags) => {
    const roles = Object.values(flags);
    if (new Set(roles).size < roles.length)
      throw usageError("The options of titian migrate need a role each: name different ones.");
    const { createClock, migrate } = await import("@titian/server/admin");
    const { requireDatabaseUrl } = await import("../database-url.ts");
    const url = requireDatabaseUrl("The embedded database is migrated when the service starts.");
    const applied = await migrate(url, {
      ...flags,
      distributes: distribute === true,
      now: createClock().now(),
      onProgress: note,
    });
    print(
      applied.length === 0
        ? "The schema was up to date."
        : `The schema is up to date: ${applied.length} migrations applied.`,
    );
    if (distribute) print("The schema is distributed.");
    for (const role of roles) print(`Granted privileges to ${role}.`);
  });
}
