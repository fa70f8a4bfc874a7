/** Merchants a page at a time: committed rows, nothing locked. */
import type { Pool } from "pg";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { type MerchantRow, merchantColumns, readMerchant } from "../../store/reference/reference.ts";

export interface MerchantsWanted {
  /** Internal id; absent: of every partner, one partner after the other. */
  readonly partner?: string | undefined;
  /** `merchantId` after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** In the order of their partners' internal ids and their own ids. */
export async function listMerchants(pool: Pool, page: MerchantsWanted): Promise<readonly MerchantRow[]> {
  const text = `select ${merchantColumns} from merchants
    where ($1::uuid is null or partner = $1::uuid) and ($2::text is null or merchant_id > $2::text)
    order by partner, merchant_id limit $3::int`;
  const values = [page.partner ?? null, page.after ?? null, page.limit];
  return (await queryRows(pool, { name: "list-merchants", text, values })).map(readMerchant);
}
