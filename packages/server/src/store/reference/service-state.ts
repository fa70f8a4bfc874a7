/** Small service-wide values by name, as JSON: what the sandbox sets, and that it was filled. */
import type { Pool } from "pg";

/** The value, or undefined when it was never written. */
export async function readState(pool: Pool, name: string): Promise<unknown> {
  const result = await pool.query<{ value: string }>({
    name: "read-state",
    text: "select value from service_state where name = $1",
    values: [name],
  });
  const row = result.rows[0];
  return row === undefined ? undefined : JSON.parse(row.value);
}

export async function writeState(pool: Pool, name: string, value: unknown): Promise<void> {
  await pool.query({
    name: "write-state",
    text: `insert into service_state (name, value) values ($1, $2::json)
      on conflict (name) do update set value = excluded.value`,
    values: [name, JSON.stringify(value)],
  });
}

/** Writes the value unless there is one, atomically; returns the stored one. */
export async function claimState(pool: Pool, name: string, value: unknown): Promise<unknown> {
  const result = await pool.query<{ value: string }>({
    name: "claim-state",
    text: `insert into service_state as kept (name, value) values ($1, $2::json)
      on conflict (name) do update set value = case when kept.value #>> '{}' is null then $2::json else kept.value end
      returning value`,
    values: [name, JSON.stringify(value)],
  });
  return JSON.parse(result.rows[0]?.value ?? "null");
}

/** Raises a number that only grows, atomically; returns the stored one. */
export async function raiseState(pool: Pool, name: string, value: number): Promise<number> {
  const result = await pool.query<{ value: string }>({
    name: "raise-state",
    text: `insert into service_state as kept (name, value) values ($1, to_json($2::bigint))
      on conflict (name) do update set value = to_json(greatest((kept.value #>> '{}')::bigint, $2::bigint))
      returning value`,
    values: [name, Math.trunc(value)],
  });
  return Number(result.rows[0]?.value);
}

/** Adds to a number, zero at first, atomically; returns the sum. */
export async function addToState(pool: Pool, name: string, value: number): Promise<number> {
  const result = await pool.query<{ value: string }>({
    name: "add-to-state",
    text: `insert into service_state as kept (name, value) values ($1, to_json($2::bigint))
      on conflict (name) do update set value = to_json((kept.value #>> '{}')::bigint + $2::bigint)
      returning value`,
    values: [name, Math.trunc(value)],
  });
  return Number(result.rows[0]?.value);
}

/** Values whose names begin so, sorted by name. */
export async function listState(pool: Pool, prefix: string): Promise<ReadonlyMap<string, unknown>> {
  const result = await pool.query<{ name: string; value: string }>({
    name: "list-state",
    text: "select name, value from service_state where starts_with(name, $1) order by name",
    values: [prefix],
  });
  return new Map(result.rows.map(({ name, value }) => [name, JSON.parse(value)]));
}

/** Removes the values whose names begin so. */
export async function removeState(pool: Pool, prefix: string): Promise<void> {
  await pool.query({
    name: "remove-state",
    text: "delete from service_state where starts_with(name, $1)",
    values: [prefix],
  });
}

/**
 * Takes up to so many from the number `left` of a stored object, atomically; returns how many there were to take. A value
 * that has none left is removed.
 */
export async function takeFromState(pool: Pool, name: string, wanted: number): Promise<number> {
  const result = await pool.query<{ taken: string }>({
    name: "take-from-state",
    text: `with found as (
        select name, (value ->> 'left')::bigint as before_it from service_state where name = $1 for update
      ),
      used_up as (
        delete from service_state as kept using found where kept.name = found.name and found.before_it <= $2::bigint
      ),
      reduced as (
        update service_state as kept
        set value = jsonb_set(kept.value::jsonb, '{left}', to_jsonb(found.before_it - $2::bigint))::json
        from found
        where kept.name = found.name and found.before_it > $2::bigint
      )
      select least(before_it, $2::bigint) as taken from found`,
    values: [name, wanted],
  });
  return Number(result.rows[0]?.taken ?? 0);
}
