/** Makes the schema of the tables a distributed schema of Citus: all of it on one machine (docs/guides/cells.md). */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/** Settings that the tables and functions need, on the coordinator and every machine. */
const needed = ["citus.enable_unsafe_triggers", "citus.allow_nested_distributed_execution"];

/**
 * On the coordinator, as the owner. Once: a schema that is distributed stays so, and later migrations go to its machine by themselves.
 * @throws when the database cannot; nothing is changed then.
 */
export async function distributeSchema(client: Client): Promise<void> {
  const [[schema, hasCitus] = []] = await queryRows(client, {
    text: "select current_schema(), exists (select from pg_extension where extname = 'citus')",
  });
  if (hasCitus !== "t")
    throw new Error("this database has no extension citus, without which no schema can be distributed");
  if (schema === "public")
    throw new Error(
      "the tables are in the schema public, which cannot be distributed: migrate an empty schema of their own",
    );
  const off = await queryRows(client, {
    text: "select name from pg_settings where name = any($1::text[]) and setting <> 'on'",
    values: [needed],
  });
  if (off.length > 0)
    throw new Error(`set ${off.join(" and ")} to on, on the coordinator and every machine. Nothing was distributed`);
  await client.query("begin");
  try {
    await client.query(`select citus_schema_distribute(current_schema()::regnamespace)
      where not exists (select from pg_dist_schema where schemaid = current_schema()::regnamespace)`);
    // Those that came before their tables were distributed are nowhere else yet.
    await client.query(`do $$ declare missing record; begin
      for missing in select pg_get_functiondef(p.oid) as definition from pg_proc p
        where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
          and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
      loop
        execute missing.definition;
      end loop;
    end $$`);
    // Rights are copied, and what was taken from everybody is not: on another machine a new function is anybody's.
    await client.query(`do $$ declare closed regprocedure; begin
      for closed in select p.oid from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
        and not has_function_privilege('public', p.oid, 'execute')
      loop
        execute format('revoke execute on function %s from public', closed);
      end loop;
    end $$`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
