/** Reference data as nodes follow it: what changed after a version, in pages, each read by an index (spec D17). */
import type { Pool } from "pg";
import { highestId } from "../../basics/ids.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { movedAccountColumns, type MovedAccountRow, readMovedAccount } from "../tables/cells/moved-accounts.ts";
import {
  type MerchantRow,
  merchantColumns,
  type PartnerRow,
  type PartnerTermsRow,
  readMerchant,
  readPartner,
  selectPartners,
  selectPartnerTerms,
} from "./reference.ts";
import type { TextRow } from "../postgres/session.ts";

/** Rows of a page: as many as a statement reads, and the event loop takes in, within some 10 ms. */
const pageRows = 2_000;

/**
 * Partners that changed after the given version, in pages.
 *
 * Read the version that this brings a copy to before: changes become visible in the order of their versions, so what
 * changes meanwhile is read twice at most and never missed.
 */
export function readChangedPartners(pool: Pool, since: number): AsyncGenerator<readonly PartnerRow[]> {
  return changedRows(pool, since, readPartner, {
    name: "read-changed-partners",
    text: `${selectPartners} where (p.version, p.id) > ($1::bigint, $2::uuid) order by p.version, p.id limit $3::int`,
  });
}

/** All partners without their credentials, in pages: an operator's connections read none. */
export function readPartnerTerms(pool: Pool): AsyncGenerator<readonly PartnerTermsRow[]> {
  return changedRows(pool, 0, readPartner, {
    name: "read-partner-terms",
    text: `${selectPartnerTerms} where (p.version, p.id) > ($1::bigint, $2::uuid) order by p.version, p.id limit $3::int`,
  });
}

/** Merchants that changed after the given version, in pages; see `readChangedPartners`. */
export function readChangedMerchants(pool: Pool, since: number): AsyncGenerator<readonly MerchantRow[]> {
  return changedRows(pool, since, readMerchant, {
    name: "read-changed-merchants",
    text: `select ${merchantColumns}, version from merchants
      where (version, id) > ($1::bigint, $2::uuid) order by version, id limit $3::int`,
  });
}

export interface EndedGrant {
  readonly id: string;
  /** Business time (epoch ms) at which the last of its access tokens has expired. */
  readonly tokensExpireAt: number;
}

/** Grants of customers that ended after the given version, in pages; see `readChangedPartners`. */
export function readEndedGrants(pool: Pool, since: number): AsyncGenerator<readonly EndedGrant[]> {
  return changedRows(pool, since, readEndedGrant, {
    name: "read-ended-grants",
    text: `select id, (date_part('epoch', expires_at) * 1000)::bigint, version from ended_grants
      where (version, id) > ($1::bigint, $2::uuid) order by version, id limit $3::int`,
  });
}

/** Accounts of which home says the cell, changed after the given version, in pages; see `readChangedPartners`. */
export function readChangedMoves(pool: Pool, since: number): AsyncGenerator<readonly MovedAccountRow[]> {
  return changedRows(pool, since, readMovedAccount, {
    name: "read-changed-moves",
    text: `select ${movedAccountColumns}, version from moved_accounts
      where (version, account_no) > ($1::bigint, $2) order by version, account_no limit $3::int`,
  });
}

function readEndedGrant([id, tokensExpireAt]: TextRow): EndedGrant {
  return { id: id as string, tokensExpireAt: Number(tokensExpireAt) };
}

/** Rows have their id, or what stands for it, first and their version last. */
async function* changedRows<Row>(
  pool: Pool,
  since: number,
  read: (row: TextRow) => Row,
  { name, text }: { readonly name: string; readonly text: string },
): AsyncGenerator<readonly Row[]> {
  let after: readonly (string | null | undefined)[] = [String(since), highestId];
  for (;;) {
    const rows = await queryRows(pool, { name, text, values: [...after, pageRows] });
    if (rows.length > 0) yield rows.map(read);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.at(-1), last[0]];
  }
}
