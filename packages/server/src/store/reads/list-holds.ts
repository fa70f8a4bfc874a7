/** Pages of holds for operators, newest first: ids are in the order of time. */
import type { Pool } from "pg";
import type { TextRow } from "../postgres/session.ts";
import { type FoundHold, readFoundHold, selectHold } from "./holds.ts";

export interface HoldPage {
  /** Id below which the page begins; absent: from the newest. */
  readonly before?: string | undefined;
  /** At most so many. */
  readonly limit: number;
}

const newest = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Open holds on the account of this id. They are few beside all holds, and sorted once they are found by it. */
export async function listOpenHolds(
  pool: Pool,
  payer: string,
  { before = newest, limit }: HoldPage,
): Promise<readonly FoundHold[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-open-holds",
    text: `with found as materialized (select id from holds where payer_account_id = $1::uuid and is_open and id < $2::uuid)
      ${selectHold} where id in (select id from found order by id desc limit $3::int) order by id desc`,
    values: [payer, before, limit],
    rowMode: "array",
  });
  return rows.map((row: TextRow) => readFoundHold(row));
}

/** A merchant's holds in every state; `partner` is the internal id of its partner. */
export async function listHoldsOfMerchant(
  pool: Pool,
  { partner, merchantId }: { readonly partner: string; readonly merchantId: string },
  { before = newest, limit }: HoldPage,
): Promise<readonly FoundHold[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-holds-of-merchant",
    text: `${selectHold} where partner = $1::uuid and merchant_id = $2 and id < $3::uuid
      order by id desc limit $4::int`,
    values: [partner, merchantId, before, limit],
    rowMode: "array",
  });
  return rows.map((row: TextRow) => readFoundHold(row));
}
