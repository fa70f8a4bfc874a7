/** Positions of the job that fills the search, and the lease by which one node does. Times are the database's. */
import type { Pool, PoolClient } from "pg";
import { queryRows } from "../../postgres/query-rows.ts";
import type { TextRow } from "../../postgres/round-trips/round-trip.ts";

export interface SearchPosition {
  /** Everything up to this id has its words. */
  readonly position: string;
  readonly generation: number;
  /** The database's time (epoch ms). */
  readonly now: number;
}

const columns = "position, generation, date_part('epoch', clock_timestamp()) * 1000";

/** Takes or renews the lease. Undefined: another node has it. A clock of the database that went back frees one at once. */
export async function takeSearchLease(pool: Pool, holder: string, forMs: number): Promise<SearchPosition | undefined> {
  const [row] = await queryRows(pool, {
    name: "take-search-lease",
    text: `with taken as (
        update search_positions set holder = $1::uuid, expires_at = statement_timestamp() + $2::float8 * interval '1 millisecond'
        where source = 'accepted_requests' and (holder = $1::uuid or expires_at < statement_timestamp()
          or expires_at > statement_timestamp() + interval '1 minute')
        returning position, generation)
      select ${columns} from taken`,
    values: [holder, forMs],
  });
  return row && read(row);
}

export interface Lease {
  readonly holder: string;
  readonly generation: number;
}

/**
 * Moves the position, never back, in the transaction of the words. False: another node has the lease now, or all is to be made
 * again; then nothing of the transaction may be committed.
 */
export async function moveSearchPosition(
  client: PoolClient,
  { holder, generation }: Lease,
  position: string,
): Promise<boolean> {
  const rows = await queryRows(client, {
    name: "move-search-position",
    text: `update search_positions set position = greatest(position, $3::uuid)
      where source = 'accepted_requests' and holder = $1::uuid and generation = $2::bigint returning generation`,
    values: [holder, generation, position],
  });
  return rows.length > 0;
}

export async function readSearchPosition(pool: Pool): Promise<SearchPosition | undefined> {
  const [row] = await queryRows(pool, {
    name: "read-search-position",
    text: `select ${columns} from search_positions where source = 'accepted_requests'`,
  });
  return row && read(row);
}

function read([position, generation, now]: TextRow): SearchPosition {
  return { position: position as string, generation: Number(generation), now: Number(now) };
}
