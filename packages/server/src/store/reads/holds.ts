/**
 * Holds as queries see them: committed rows, nothing locked. A closed one leaves their table after a while
 * (tables/closed-holds.ts): by a number it is looked for behind the others, and a list reads both tables at once.
 */
import type { Pool } from "pg";
import { highestId } from "../../basics/ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { firstOfBoth, mayNotBeClosed } from "../tables/closed-holds.ts";
import { holdColumns, readHold } from "../tables/holds.ts";
import type { TextRow } from "../postgres/session.ts";
import { beyond, type ReadPage } from "./scan-list.ts";

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
const selectHoldFrom = (
  source: string,
  more = "",
) => `select (select account_no from accounts where id = holds.payer_account_id),
  (select account_no from accounts where id = holds.settlement_account_id), ${holdColumns.sql}${more} from ${source}`;

const selectHold = selectHoldFrom("holds");
const selectClosedHold = selectHoldFrom("closed_holds holds");

export async function findHold(pool: Pool, id: string): Promise<FoundHold | undefined> {
  const find = async (name: string, select: string) =>
    (await queryRows(pool, { name, text: `${select} where id = $1::uuid`, values: [id] }))[0];
  const row = (await find("read-hold", selectHold)) ?? (await find("read-closed-hold", selectClosedHold));
  return row && readFoundHold(row);
}

/** Number of the newest holds that a query by several references scans. */
const scannedMax = 1_000;

/**
 * Among the newest holds of the narrowest key that is given, by its index; ids are ordered by time. Closed holds are read, too,
 * where a newer one may be among them: both tables as one list, so that none hides a newer one of the other.
 */
export async function findNewestHold(pool: Pool, key: HoldKey): Promise<FoundHold | undefined> {
  const { partner, merchantId, subMerchantId, externalStoreId } = key;
  const by = [
    ["store_id", externalStoreId],
    ["sub_merchant_id", subMerchantId],
    ["merchant_id", merchantId],
  ].filter(([, value]) => value !== undefined);
  const [narrowest, ...others] = by.map(([column], position) => `${column} = $${position + 2}`);
  if (by.length === 0) return undefined;
  const ofNarrowest = `partner = $1::uuid and ${narrowest}`;
  const find = async (source: "holds" | "both", newest: string) => {
    const text = `${selectHoldFrom(`(${newest}) holds`, `, ${mayNotBeClosed("id")}`)}
      where ${["true", ...others].join(" and ")} order by id desc limit 1`;
    const name = `read-newest-of-${source}-${by.map(([column]) => column).join("-")}`;
    const [row] = await queryRows(pool, { name, text, values: [partner, ...by.map(([, value]) => value)] });
    return row && { found: readFoundHold(row), isLast: row.at(-1) === "t" };
  };
  const open = await find("holds", `select * from holds where ${ofNarrowest} order by id desc limit ${scannedMax}`);
  if (open?.isLast === true) return open.found;
  return (await find("both", firstOfBoth(ofNarrowest, String(scannedMax), "id desc")))?.found;
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

/** Holds in every state, of every partner, beyond an id in the order of a list. */
export async function listHolds(pool: Pool, { start, limit, isOldestFirst }: ReadPage): Promise<readonly FoundHold[]> {
  const { condition, order, suffix } = beyond(isOldestFirst);
  const rows = await queryRows(pool, {
    name: `list-newest-holds${suffix}`,
    text: `${selectHoldFrom(`(${firstOfBoth(condition, "$2::int", order)}) holds`)} order by ${order}`,
    values: [start, limit],
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

/** A merchant's holds in every state, without the closed ones that have left their table; `partner` is the internal id of its partner. */
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
