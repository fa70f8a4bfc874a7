/** Migrations that were applied by a release that kept no SHA-256 of them: they get it once the schema is what they make. */
import type { Client } from "pg";
import { readApplied } from "./applied-migrations.ts";
import type { Migration } from "./migration-files.ts";
import { findSchemaDifferences } from "./same-schema.ts";

const shownMax = 5;

/** In a transaction that holds the lock on the migrations. @throws where the schema is another one. */
export async function adoptMigrations(client: Client, known: readonly Migration[]): Promise<void> {
  await client.query("alter table migrations add column if not exists sha256 text");
  const applied = await readApplied(client);
  // A fresh schema takes the right to create one, which a role that migrates an empty database needs not have.
  if (applied.length === 0) return;
  const numbers = new Set(applied.map(({ number }) => number));
  const differences = await findSchemaDifferences(
    client,
    known.filter(({ number }) => numbers.has(number)),
  );
  if (differences.length > 0) {
    const shown = differences.slice(0, shownMax).join("; ");
    const more = differences.length > shownMax ? `; and ${differences.length - shownMax} more` : "";
    throw new Error(
      `the schema is not the one that its migrations make, so it was changed by hand or by another build: ${shown}${more}. ` +
        "Nothing was changed",
    );
  }
  for (const { number, sha256 } of known)
    await client.query("update migrations set sha256 = $2 where number = $1 and sha256 is null", [number, sha256]);
}
