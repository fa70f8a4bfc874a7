/** Statements that a distributed engine takes as well: what Citus rejects is found by PostgreSQL's own tree of each (docs/adr/0091-distributed-engines.md). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { Client } from "pg";
import { createDeliveryPool } from "../../packages/server/src/store/postgres/connect.ts";
import { useDatabase } from "../support/database/database.ts";
import { type Catalogue, findRejected, readTree } from "../support/database/query-tree.ts";

const database = await useDatabase();
const client = new Client(database.ownerUrl);
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

const texts = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
const functions = await texts<{ oid: string; volatility: string; name: string }>(
  "select oid::text, provolatile as volatility, proname as name from pg_proc",
);
const types = await texts<{ oid: string; input: string; output: string }>(
  "select oid::text, typinput::oid::text as input, typoutput::oid::text as output from pg_type",
);
const catalogue: Catalogue = {
  functions: new Map(functions.map(({ oid, ...rest }) => [oid, rest])),
  types: new Map(types.map(({ oid, ...rest }) => [oid, rest])),
};

const isChange = (text: string) => /\b(?:insert into|update|delete from)\b/.test(text);

/** Faults of a statement; undefined: it is a part of one, which PostgreSQL cannot read. */
async function rejectedIn(text: string): Promise<readonly string[] | undefined> {
  await client.query("begin");
  try {
    await client.query(`prepare wanted as ${text}`);
    const [parameters] = await texts<{ types: string }>(
      "select array_to_string(parameter_types, ', ') as types from pg_prepared_statements where name = 'wanted'",
    );
    await client.query(
      `create function body(${parameters?.types ?? ""}) returns void language sql begin atomic ${text}; end`,
    );
    const [body] = await texts<{ tree: string }>(
      "select prosqlbody::text as tree from pg_proc where oid = 'body'::regproc",
    );
    return findRejected(readTree(body?.tree ?? ""), catalogue);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "42601") return undefined;
    throw error;
  } finally {
    await client.query("rollback");
    await client.query("deallocate all");
  }
}

test("no statement has what a distributed engine rejects", async () => {
  const listing = resolve(import.meta.dirname, "../support/database/list-statements.ts");
  const printed = execFileSync(process.execPath, ["--conditions=source", listing], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const { texts: found, unknown }: Record<"texts" | "unknown", readonly string[]> = JSON.parse(printed);
  // Those of a table's name, each of which is among the texts.
  assert.deepEqual(
    unknown.filter((text) => isChange(text) && !text.includes("${table}") && !text.includes('insert("")')),
    [],
  );
  const changes = found.filter(isChange);
  assert.ok(changes.length > 100, String(changes.length));
  const rejected: string[] = [];
  for (const text of changes) {
    const faults = (await rejectedIn(text)) ?? ["cannot be read"];
    if (faults.length > 0) rejected.push(`${faults.join(", ")}: ${text}`);
  }
  assert.deepEqual(rejected, []);
});

test("each of it is found where it is planted", async () => {
  const planted = {
    "update accounts set opened_at = opened_at + interval '1 day' where id = $1": ["timestamptz_pl_interval in SET"],
    "update accounts set opened_at = $1::timestamptz + interval '1 day' where id = $2": [],
    "update accounts set name = coalesce($1, now()::text)": ["timestamptz_out in SET", "now in SET"],
    "update accounts set opened_at = clock_timestamp() where id = $1": ["clock_timestamp in VOLATILE"],
    "delete from outbox where date_part('hour', created_at) = 1": ["date_part in WHERE"],
    "delete from outbox where id = $1 returning created_at::text": ["timestamptz_out in RETURNING"],
    "with a as (update outbox set state = state where id = $1 returning date_part('epoch', created_at) as at) select at from a":
      ["date_part in RETURNING"],
    "insert into service_state as kept (name, value) values ($1, $2) on conflict (name) do update set value = to_json($3::bigint)":
      ["to_json in DO UPDATE"],
    "insert into service_state as kept (name, value) values ($1, to_json($2::bigint)) on conflict (name) do update set value = excluded.value":
      [],
  };
  for (const [text, faults] of Object.entries(planted)) assert.deepEqual(await rejectedIn(text), faults, text);
});

/** A call of a function that PostgreSQL takes as VOLATILE, ours too. */
const volatile = new RegExp(
  `\\b(?:${functions.flatMap(({ name, volatility }) => (volatility === "v" ? [name] : [])).join("|")})\\s*\\(`,
);

/** Statements of a function's text that Citus rejects: only their words are looked at, since a variable's type is not known. */
function rejectedInBody(source: string): readonly string[] {
  const statements = source
    .replace(/--.*/g, "")
    .split(";")
    .map((text) => text.slice(text.search(/\b(?:insert into|update (?!or |skip)|delete from)\b/)).trim());
  return statements.filter(
    (text) =>
      (/^(?:update|delete)/.test(text) && volatile.test(text)) ||
      /^insert into[^]*\bvalues\s*\([^]*\bselect\b/.test(text),
  );
}

test("no function changes rows by what a distributed engine rejects", async () => {
  const bodies = await texts<{ name: string; source: string }>(
    "select proname as name, prosrc as source from pg_proc where pronamespace = current_schema()::regnamespace",
  );
  assert.ok(bodies.length > 100, String(bodies.length));
  const found = bodies.flatMap(({ name, source }) => rejectedInBody(source).map((text) => `${name}: ${text}`));
  assert.deepEqual(found, []);
  assert.equal(
    rejectedInBody("begin\n update open_acts set since = clock_timestamp() where act_id = one; end").length,
    1,
  );
  assert.equal(rejectedInBody("insert into a (b) values (array(select 1))").length, 1);
});

test("a session plans as Citus needs it where that is installed, and never anew elsewhere", async () => {
  const planMode = async () => {
    const pool = createDeliveryPool(database.url, 1);
    const { rows } = await pool.query<{ plan_cache_mode: string }>("show plan_cache_mode");
    await pool.end();
    return rows[0]?.plan_cache_mode;
  };
  assert.equal(await planMode(), "force_generic_plan");
  await client.query(`set allow_system_table_mods = on;
    insert into pg_extension values (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '0', null, null)`);
  assert.equal(await planMode(), "auto");
});
