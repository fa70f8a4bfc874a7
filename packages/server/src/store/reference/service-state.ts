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
      on conflict (name) do update set value = greatest((kept.value #>> '{}')::bigint, $2::bigint)::text::json
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
      on conflict (name) do update set value = ((kept.value #>> '{}')::bigint + $2::bigint)::text::json
      returning value`,
    values: [name, Math.trunc(value)],
  });
  return Number(result.rows[0]?.value);
}
