/** Merchants with their payment terms. */
import type { Account } from "../../ledger/accounts/account.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import {
  findMerchant as findRow,
  merchantColumns,
  type MerchantRow,
  readMerchant,
} from "../../store/reference/reference.ts";
import { toMerchantTerms } from "../../admin/reference/reference-copy.ts";
import { partnerIdOf, type QueryDeps, type Shown } from "../query-deps.ts";

export type MerchantSummary = Shown<typeof toSummary>;

interface MerchantPage {
  /** `X-PARTNER-ID`; undefined: all partners. */
  readonly partnerId?: string | undefined;
  /** merchantId after which the page starts. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of merchants, in the order of their partners' internal ids and their own; undefined when the partner is unknown. */
export async function listMerchants(
  deps: QueryDeps,
  { partnerId, after, limit }: MerchantPage,
): Promise<readonly MerchantSummary[] | undefined> {
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  const rows = await queryRows(deps.pool, {
    name: "list-merchants",
    text: `select ${merchantColumns} from merchants
      where ($1::uuid is null or partner = $1::uuid) and ($2::text is null or merchant_id > $2::text)
      order by partner, merchant_id limit $3::int`,
    values: [partner ?? null, after ?? null, limit],
  });
  return summarize(deps, rows.map(readMerchant));
}

/** Undefined when the partner is unknown or has no such merchant. */
export async function findMerchant(
  deps: QueryDeps,
  partnerId: string,
  merchantId: string,
): Promise<MerchantSummary | undefined> {
  const partner = deps.reference.byPartnerId(partnerId)?.key;
  const row = partner === undefined ? undefined : await findRow(deps.pool, partner, merchantId);
  return row && (await summarize(deps, [row]))[0];
}

async function summarize(deps: QueryDeps, rows: readonly MerchantRow[]): Promise<readonly MerchantSummary[]> {
  const ids = rows.flatMap(({ settlementAccount, payerAccount = settlementAccount }) => [
    settlementAccount,
    payerAccount,
  ]);
  const accounts = await findAccountsById(deps.pool, ids);
  return rows.map((row) => toSummary(row, partnerIdOf(deps, row.partner), accounts));
}

function toSummary(row: MerchantRow, partnerId: string, accounts: ReadonlyMap<string, Account>) {
  const { merchantId, status, defaultHoldAmount, holdMs, refundMs, customerTokenRequired } = toMerchantTerms(row);
  const settlement = accounts.get(row.settlementAccount);
  const payer = row.payerAccount === undefined ? undefined : accounts.get(row.payerAccount);
  return {
    merchantId,
    /** `X-PARTNER-ID` of its partner. */
    partnerId,
    name: row.name,
    status,
    settlementAccountNo: settlement?.accountNo,
    /** ISO 4217, of the settlement account. */
    currency: settlement?.currency ?? "",
    /** Default payer account. */
    payerAccountNo: payer?.accountNo,
    /** Minor units. */
    defaultHoldAmount,
    /** Default duration of a hold. */
    holdMs,
    /** For how long a capture may be refunded, of captures from now on. */
    refundDays: refundMs / 86_400_000,
    customerTokenRequired,
  };
}
