/** Planned faults in the database: plain statements, each on its own. */
import { newId, type StatementPool } from "@titian/server/admin";
import { type KeptFault, type PlannedFault, readFault } from "./planned-fault.ts";

/** As PostgreSQL sent it: numbers are text. */
interface FaultRow {
  readonly id: string;
  readonly partner: string;
  readonly fault: string;
  readonly remaining: string;
  readonly delay_ms: string;
  readonly operation: string | null;
}

const select = "select id, partner, fault, remaining, delay_ms, operation from planned_faults";

/** Those of every partner, by partner, in the order in which they are met. */
export async function readFaults(pool: StatementPool): Promise<ReadonlyMap<string, readonly PlannedFault[]>> {
  const { rows } = await pool.query<FaultRow>({ name: "read-faults", text: `${select} order by id` });
  return Map.groupBy(rows.flatMap(faultOf), ({ partner }) => partner);
}

/** Those of a partner, in the order in which they are met. */
export async function readFaultsOf(pool: StatementPool, partner: string): Promise<readonly PlannedFault[]> {
  const text = `${select} where partner = $1::uuid order by id`;
  const { rows } = await pool.query<FaultRow>({ name: "read-faults-of-partner", text, values: [partner] });
  return rows.flatMap(faultOf);
}

/** False: every place of the partner is taken, and none was added. */
export async function insertFault(pool: StatementPool, partner: string, planned: KeptFault): Promise<boolean> {
  const { fault, left, delayMs, operation = null } = planned;
  const { rows } = await pool.query<{ free: string; added: string }>({
    name: "insert-fault",
    text: insert,
    values: [newId(), partner, fault, left, delayMs, operation],
  });
  if (rows[0]?.added === "1") return true;
  if (rows[0]?.free === "0") return false;
  // Another insert took the place meanwhile: at most 31 more can.
  return insertFault(pool, partner, planned);
}

const insert = `with free as (
    select n as place from generate_series(1, 32) n
    where not exists (select from planned_faults where partner = $2::uuid and place = n) order by n limit 1),
  added as (
    insert into planned_faults (id, partner, place, fault, remaining, delay_ms, operation)
    select $1::uuid, $2::uuid, place, $3, $4::int, $5::int, $6 from free on conflict (partner, place) do nothing returning 1)
  select (select count(*) from free) as free, (select count(*) from added) as added`;

export async function deleteFaultsOf(pool: StatementPool, partner: string): Promise<void> {
  const text = "delete from planned_faults where partner = $1::uuid";
  await pool.query({ name: "delete-faults-of-partner", text, values: [partner] });
}

/** Takes up to so many calls from a fault, atomically; returns how many there were to take. One with none left is deleted. */
export async function takeFromFault(pool: StatementPool, id: string, wanted: number): Promise<number> {
  const { rows } = await pool.query<{ taken: string }>({
    name: "take-from-fault",
    text: `with found as (select id, remaining from planned_faults where id = $1::uuid for update),
      used_up as (delete from planned_faults p using found where p.id = found.id and found.remaining <= $2::int),
      reduced as (
        update planned_faults p set remaining = found.remaining - $2::int from found
        where p.id = found.id and found.remaining > $2::int
      )
      select least(remaining, $2::int) as taken from found`,
    values: [id, wanted],
  });
  return Number(rows[0]?.taken ?? 0);
}

/** None of a row that another release wrote and this one does not know. */
function faultOf({ id, partner, fault, remaining, delay_ms: delayMs, operation }: FaultRow): readonly PlannedFault[] {
  const numbers = { left: Number(remaining), delayMs: Number(delayMs) };
  const kept = readFault({ fault, ...numbers, ...(operation !== null && { operation }) });
  return kept === undefined ? [] : [{ ...kept, id, partner }];
}
