/** A database belongs to production or to a sandbox, for good: recorded at the first start of a service on it. */
import type { Client, Pool, QueryConfig } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export type Environment = "production" | "sandbox";

/** A database without a record is what its content says: only a sandbox was seeded. Null: nothing is in it yet. */
const findEnvironment = `select coalesce(
  (select value #>> '{}' from service_state where name = 'environment'),
  case when exists (select from service_state where name = 'sandboxSeeded') then 'sandbox'
    when exists (select from accounts) or exists (select from partners) then 'production' end) as environment`;

/** The record's commit may wait for a standby that is away. */
const recordMs = 15_000;

/** The driver's own time limit of one query, which its types do not have. */
type TimedQuery = QueryConfig & { readonly query_timeout: number };

/** Environment to which the database belongs; undefined while nothing is in it. */
export async function readEnvironment(pool: Pool): Promise<Environment | undefined> {
  const [row] = await queryRows(pool, { text: findEnvironment });
  const environment = row?.[0];
  return environment === "sandbox" || environment === "production" ? environment : undefined;
}

/**
 * Looks whether a service of this kind may work on the database; `record` also writes down that it does.
 * @throws when the database belongs to the other kind.
 */
export async function checkEnvironment(
  client: Client,
  environment: Environment,
  { record }: { readonly record: boolean },
): Promise<void> {
  const schema = await client.query<{ present: boolean }>(
    "select to_regclass('service_state') is not null and to_regclass('partners') is not null as present",
  );
  if (schema.rows[0]?.present !== true) return;
  const find = async () => (await client.query<{ environment: string | null }>(findEnvironment)).rows[0]?.environment;
  rejectOther(await find(), environment);
  if (!record) return;
  const inserted: TimedQuery = {
    text: `insert into service_state (name, value) values ('environment', to_json($1::text))
      on conflict (name) do nothing`,
    values: [environment],
    query_timeout: recordMs,
  };
  await client.query(inserted);
  // One of two services of different kinds that start at once finds the other's record.
  rejectOther(await find(), environment);
}

function rejectOther(found: string | null | undefined, environment: Environment): void {
  if (found === environment || found === null || found === undefined) return;
  throw new Error(
    `The database belongs to ${found === "sandbox" ? "a sandbox" : "production"}, and this service is to run ` +
      `${environment === "sandbox" ? "as a sandbox" : "in production"}: set DATABASE_URL to another database, ` +
      "or TITIAN_SANDBOX to 1 for a sandbox and 0 for production.",
  );
}
