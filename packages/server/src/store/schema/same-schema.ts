/**
 * Comparison of a database's schema with that of its migrations: they are run once more in an empty schema beside it,
 * both are described by PostgreSQL's catalogue, and all of it is rolled back.
 */
import type { Client } from "pg";
import type { Migration } from "./migration-files.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { splitStatements } from "./split-statements.ts";

/** One object of a schema, such as `outbox column id uuid not null`. */
interface SchemaObject {
  readonly kind: string;
  readonly text: string;
}

const fresh = "titian_fresh_schema";

/** Differences as texts, of which there are none where the schema is that of the given migrations. In a transaction. */
export async function findSchemaDifferences(
  client: Client,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const found = await describeSchema(client);
  await client.query("savepoint before_fresh_schema");
  await client.query(`create schema ${fresh}`);
  await client.query(`set local search_path to ${fresh}`);
  for (const { sql } of migrations)
    for (const statement of splitStatements(sql.replaceAll(/\bindex concurrently\b/g, "index")))
      await client.query(statement);
  const expected = await describeSchema(client);
  await client.query("rollback to savepoint before_fresh_schema");
  return compare(found, expected);
}

/** An operator's own tables and plain indexes are no difference. */
function compare(found: readonly SchemaObject[], expected: readonly SchemaObject[]): readonly string[] {
  const [has, wants] = [found, expected].map((objects) => new Set(objects.map(({ text }) => text)));
  const tables = new Set(expected.filter(({ kind }) => kind === "table").map(({ text }) => text));
  const missing = expected.filter(({ text }) => has?.has(text) !== true).map(({ text }) => `missing: ${text}`);
  const more = found
    .filter(({ kind, text }) => kind === "rule of a table" && wants?.has(text) !== true && tables.has(tableOf(text)))
    .map(({ text }) => `not of this release: ${text}`);
  return [...missing, ...more];
}

const tableOf = (text: string) => text.slice(0, text.indexOf(" "));

/** Describes the current schema. Partitions come and go with time, so that their parents stand for them. */
async function describeSchema(client: Client): Promise<readonly SchemaObject[]> {
  const rows = await queryRows(client, {
    text: `with ours as (select c.oid, c.relname, c.relkind from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition),
      objects (kind, text) as (
        select 'table', relname::text from ours where relkind <> 'v'
        union all select 'rule of a table', concat_ws(' ', relname, 'column', attname, format_type(atttypid, atttypmod),
            case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid))
          from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
          left join pg_attrdef on adrelid = attrelid and adnum = attnum where relkind <> 'v'
        union all select 'rule of a table', concat_ws(' ', relname, 'constraint', conname, replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''))
          from ours join pg_constraint c on conrelid = ours.oid and contype <> 'n'
        union all select 'rule of a table', concat_ws(' ', relname, 'trigger', pg_get_triggerdef(t.oid))
          from ours join pg_trigger t on tgrelid = ours.oid and not tgisinternal
        union all select case when indisunique then 'rule of a table' else 'index' end, concat_ws(' ', relname, 'index', pg_get_indexdef(indexrelid))
          from ours join pg_index on indrelid = ours.oid
        union all select 'view', concat_ws(' ', relname, 'view', md5(pg_get_viewdef(oid))) from ours where relkind = 'v'
        union all select 'function', concat_ws(' ', 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')',
            pg_get_function_result(oid), provolatile, case when prosecdef then 'security definer' end, md5(prosrc))
          from pg_proc where pronamespace = current_schema()::regnamespace)
      select kind, replace(text, quote_ident(current_schema()) || '.', '') from objects order by text`,
  });
  return rows.map(([kind, text]) => ({ kind: kind as string, text: text as string }));
}
