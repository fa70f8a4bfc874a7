/** Holds as queries see them: committed rows, nothing locked. */
import type { Pool } from "pg";
import { highestId } from "../../ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { holdColumns, readHold } from "../tables/holds.ts";
import type { TextRow } from "../postgres/session.ts";

export interface FoundHold {
  readonly hold: Hold;
  /** Numbers of its accounts. */
  readonly payerAccountNo: string;
  readonly settlementAccountNo: string;
}

/** A query without a reference; at least one of the last three is given. */
export interface HoldKey {
  readonly partner: string;
  readonly merchantId: string | undefined;
  readonly subMerchantId: string | undefined;
  readonly externalStoreId: string | undefined;
}

/** A row of it is read by `readFoundHold`. */
const selectHoldFrom = (source: string) => `select (select account_no from accounts where id = holds.payer_account_id),
  (select account_no from accounts where id = holds.settlement_account_id), ${holdColumns.sql} from ${source}`;

const selectHold = selectHoldFrom("holds");

export async function findHold(pool: Pool, id: string): Promise<FoundHold | undefined> {
  return findOne(pool, "read-hold", `${selectHold} where id = $1::uuid`, [id]);
}

/** How many of the newest holds a query by several references scans. */
const scannedMax = 1_000;

/** By the index of the narrowest key that is given; ids are ordered by time. */
export async function findNewestHold(pool: Pool, key: HoldKey): Promise<FoundHold | undefined> {
  const { partner, merchantId, subMerchantId, externalStoreId } = key;
  const by = [
    ["store_id", externalStoreId],
    ["sub_merchant_id", subMerchantId],
    ["merchant_id", merchantId],
  ].filter(([, value]) => value !== undefined);
  const [narrowest, ...others] = by.map(([column], position) => `${column} = $${position + 2}`);
  const values = by.map(([, value]) => value);
  const name = `read-newest-hold-${by.map(([column]) => column).join("-")}`;
  const newest = `select * from holds where partner = $1::uuid and ${narrowest} order by id desc`;
  const text = `${selectHoldFrom(`(${newest} limit ${scannedMax}) holds`)}
    where ${["true", ...others].join(" and ")} order by id desc limit 1`;
  return by.length === 0 ? undefined : findOne(pool, name, text, [partner, ...values]);
}

async function findOne(
  pool: Pool,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<FoundHold | undefined> {
  const [row] = await queryRows(pool, { name, text, values });
  return row && readFoundHold(row);
}

function readFoundHold(row: TextRow): FoundHold {
  const [payerAccountNo, settlementAccountNo] = row as string[];
  const { hold } = readHold(row.slice(2));
  return { hold, payerAccountNo: payerAccountNo as string, settlementAccountNo: settlementAccountNo as string };
}

export interface HoldPage {
  /** Id below which the page begins; absent: from the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Holds in every state, of every partner, newest first. */
export async function listNewestHolds(
  pool: Pool,
  { before = highestId, limit }: HoldPage,
): Promise<readonly FoundHold[]> {
  const rows = await queryRows(pool, {
    name: "list-newest-holds",
    text: `${selectHold} where id < $1::uuid order by id desc limit $2::int`,
    values: [before, limit],
  });
  return rows.map(readFoundHold);
}

/** Open holds on the account of this id. They are few beside all holds, and sorted once they are found by it. */
export async function listOpenHolds(
  pool: Pool,
  payer: string,
  { before = highestId, limit }: HoldPage,
): Promise<readonly FoundHold[]> {
  const rows = await queryRows(pool, {
    name: "list-open-holds",
    text: `with found as materialized (select id from holds where payer_account_id = $1::uuid and is_open and id < $2::uuid)
      ${selectHold} where id in (select id from found order by id desc limit $3::int) order by id desc`,
    values: [payer, before, limit],
  });
  return rows.map(readFoundHold);
}

/** A merchant's holds in every state; `partner` is the internal id of its partner. */
export async function listHoldsOfMerchant(
  pool: Pool,
  { partner, merchantId }: { readonly partner: string; readonly merchantId: string },
  { before = highestId, limit }: HoldPage,
): Promise<readonly FoundHold[]> {
  const rows = await queryRows(pool, {
    name: "list-holds-of-merchant",
    text: `${selectHold} where partner = $1::uuid and merchant_id = $2 and id < $3::uuid
      order by id desc limit $4::int`,
    values: [partner, merchantId, before, limit],
  });
  return rows.map(readFoundHold);
}
