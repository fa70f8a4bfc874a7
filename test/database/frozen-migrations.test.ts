/** Migrations that have landed stay as they are, and what the first of those schemas held survives every later one. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { findSchemaFaults } from "../../packages/server/src/store/schema/applied-migrations.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { migrationsFolder } from "../../packages/server/src/store/schema/migration-files.ts";
import { useDatabase } from "../support/database/database.ts";
import { withDatabase } from "../support/database/template.ts";
import { runStatements, spoilRows, withClient } from "../support/database/with-client.ts";

/** The schema of the dump: it is what its migrations make, which are frozen. */
const firstFrozen = "0017";

const temporary = mkdtempSync(join(tmpdir(), "titian-frozen-"));
after(() => rmSync(temporary, { recursive: true }));

const files = readdirSync(migrationsFolder)
  .filter((file) => file.endsWith(".sql"))
  .toSorted();

test("every migration is frozen: SHA256SUMS has a line for each, in their order, and is only ever added to", () => {
  const lines = files.map(
    (file) => `${hash("sha256", readFileSync(new URL(file, migrationsFolder)), "hex")}  ${file}\n`,
  );
  assert.equal(readFileSync(new URL("SHA256SUMS", migrationsFolder), "utf8"), lines.join(""));
});

test("a database of the first frozen schema is upgraded with all that it holds, and its audit finds nothing", async () => {
  await using cluster = await useDatabase();
  const name = `frozen_${newId().replaceAll("-", "")}`;
  const url = withDatabase(cluster.ownerUrl, name);
  await runStatements(cluster.ownerUrl, [`create database ${name}`]);
  try {
    for (const file of files.filter((one) => one.slice(0, 4) <= firstFrozen))
      cpSync(new URL(file, migrationsFolder), join(temporary, file));
    await migrate(url, { now: 0, folder: pathToFileURL(`${temporary}/`) });
    // As the releases until then left it.
    await runStatements(url, ["alter table migrations drop column sha256", "delete from reference_version"]);
    await spoilRows(url, [readFileSync(new URL(`frozen/${firstFrozen}-rows.sql`, import.meta.url), "utf8")]);
    const before = await countRows(url);
    assert.ok(before["accepted_requests"] && before["transfers"] && before["hold_events"] && before["bulks"]);
    await migrate(url, { now: 0 });
    assert.deepEqual(await withClient(url, findSchemaFaults), []);
    const later = await countRows(url);
    assert.deepEqual(Object.fromEntries(Object.keys(before).map((table) => [table, later[table]])), before);
    const { findings } = await runAudit(url);
    assert.deepEqual(findings, []);
  } finally {
    await runStatements(cluster.ownerUrl, [`drop database ${name} with (force)`]);
  }
});

function countRows(url: string): Promise<Readonly<Record<string, number>>> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.rows)
      counts[name] = (await client.query(`select from ${client.escapeIdentifier(name)}`)).rowCount ?? 0;
    return counts;
  });
}
