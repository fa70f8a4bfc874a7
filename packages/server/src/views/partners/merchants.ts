/** Merchants with their payment terms. */
import type { Account } from "../../ledger/accounts/account.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import { listMerchants as readMerchants } from "./merchant-rows.ts";
import { findMerchant as readMerchant, type MerchantRow } from "../../store/reference/reference.ts";
import { toMerchantTerms } from "../../admin/reference/reference-copy.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface MerchantSummary {
  readonly merchantId: string;
  /** `X-PARTNER-ID` of its partner. */
  readonly partnerId: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly settlementAccountNo: string | undefined;
  /** ISO 4217, of the settlement account. */
  readonly currency: string;
  /** Default payer account. */
  readonly payerAccountNo: string | undefined;
  /** Minor units. */
  readonly defaultHoldAmount: bigint | undefined;
  /** Default duration of a hold. */
  readonly holdMs: number;
  /** For how long a capture may be refunded, of captures from now on. */
  readonly refundDays: number;
  readonly customerTokenRequired: boolean;
}

export interface MerchantPage {
  /** `X-PARTNER-ID`; undefined: all partners. */
  readonly partnerId?: string | undefined;
  /** merchantId after which the page starts. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of merchants, sorted by partner and id; undefined when the partner is unknown. */
export async function listMerchants(
  deps: QueryDeps,
  { partnerId, after, limit }: MerchantPage,
): Promise<readonly MerchantSummary[] | undefined> {
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  return summarize(deps, await readMerchants(deps.pool, { partner, after, limit }));
}

/** Undefined when the partner is unknown or has no such merchant. */
export async function findMerchant(
  deps: QueryDeps,
  partnerId: string,
  merchantId: string,
): Promise<MerchantSummary | undefined> {
  const partner = deps.reference.byPartnerId(partnerId)?.key;
  const row = partner === undefined ? undefined : await readMerchant(deps.pool, partner, merchantId);
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

function toSummary(row: MerchantRow, partnerId: string, accounts: ReadonlyMap<string, Account>): MerchantSummary {
  const { merchantId, status, defaultHoldAmount, holdMs, refundMs, customerTokenRequired } = toMerchantTerms(row);
  const settlement = accounts.get(row.settlementAccount);
  const payer = row.payerAccount === undefined ? undefined : accounts.get(row.payerAccount);
  return {
    merchantId,
    partnerId,
    name: row.name,
    status,
    settlementAccountNo: settlement?.accountNo,
    currency: settlement?.currency ?? "",
    payerAccountNo: payer?.accountNo,
    defaultHoldAmount,
    holdMs,
    refundDays: refundMs / 86_400_000,
    customerTokenRequired,
  };
}
