/** The table of `titian merchant list`. */
import { toMerchantTerms } from "../../admin/reference-copy.ts";
import type { Core } from "../../compose/core.ts";
import { findAccountsById } from "../../store/reads/accounts-by-id.ts";
import { listMerchants } from "../../store/reads/list-merchants.ts";
import { showAmount } from "./amounts.ts";
import { CliError } from "../cli-error.ts";
import { showDuration } from "../duration.ts";
import { formatTable } from "./table.ts";

const columns = {
  merchantId: "merchant",
  partnerId: "partner",
  name: "name",
  status: "status",
  settlement: "settlement account",
  payer: "payer account",
  hold: "default hold",
  time: "hold duration",
  token: "customer token",
};

export interface MerchantListFlags {
  /** `X-PARTNER-ID`; undefined: all partners. */
  readonly partner?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface MerchantPage {
  readonly table: string;
  /** Where the next page starts; undefined on the last. */
  readonly next: { readonly partnerId: string; readonly merchantId: string } | undefined;
}

/**
 * A page of merchants with their payment terms, sorted by partner and id.
 * @throws CliError when there is no such partner.
 */
export async function formatMerchants({ pool, reference }: Core, flags: MerchantListFlags): Promise<MerchantPage> {
  const only = flags.partner === undefined ? undefined : reference.byPartnerId(flags.partner)?.key;
  if (flags.partner !== undefined && only === undefined) {
    throw new CliError(`There is no partner ${flags.partner}: titian partner list`);
  }
  const { partners } = reference.current();
  const page = await listMerchants(pool, { partner: only, after: flags.after, limit: flags.limit });
  const found = page.map((row) => ({ name: row.name, ...toMerchantTerms(row) }));
  const ids = found.flatMap(({ settlementAccount, payerAccount = settlementAccount }) => [
    settlementAccount,
    payerAccount,
  ]);
  const accounts = await findAccountsById(pool, ids);
  const rows = found.map(({ partner, settlementAccount, payerAccount = "", defaultHoldAmount, ...terms }) => {
    const { accountNo, currency = "" } = accounts.get(settlementAccount) ?? {};
    return {
      ...terms,
      partnerId: partners.get(partner)?.partnerId ?? "",
      settlement: accountNo,
      payer: accounts.get(payerAccount)?.accountNo,
      hold: defaultHoldAmount === undefined ? undefined : showAmount(defaultHoldAmount, currency),
      time: showDuration(terms.holdMs / 1_000),
      token: terms.customerTokenRequired ? "required" : "optional",
    };
  });
  return { table: formatTable(columns, rows), next: page.length === flags.limit ? rows.at(-1) : undefined };
}
