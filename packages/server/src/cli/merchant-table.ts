/** Merchants as `titian merchant list` shows them. */
import type { Core } from "../compose/core.ts";
import { merchantKeyOf } from "../engine/reference.ts";
import { findAccountsById } from "../store/reads/accounts-by-id.ts";
import { readReferenceChanges } from "../store/reference.ts";
import { showAmount } from "./amounts.ts";
import { CliError } from "./cli-error.ts";
import { showHoldTime } from "./hold-time.ts";
import { formatTable } from "./table.ts";

const columns = {
  merchantId: "merchant",
  partnerId: "partner",
  name: "name",
  status: "status",
  settlement: "settlement account",
  payer: "payer account",
  hold: "default hold",
  time: "hold lasts",
  token: "customer token",
};

/**
 * All merchants, or one partner's, in the order of their partners and ids, with the terms that payments go by.
 * @throws CliError when there is no such partner.
 */
export async function formatMerchants({ pool, reference }: Core, onlyOf?: string): Promise<string> {
  const only = onlyOf === undefined ? undefined : reference.byPartnerId(onlyOf)?.key;
  if (onlyOf !== undefined && only === undefined) {
    throw new CliError(`There is no partner ${onlyOf}: titian partner list`);
  }
  const { merchants, partners } = reference.current();
  const names = (await readReferenceChanges(pool, 0)).merchants;
  const found = names.flatMap(({ name, partner, merchantId }) => {
    const terms = merchants.get(merchantKeyOf(partner, merchantId));
    return terms && (only === undefined || partner === only) ? [{ name, ...terms }] : [];
  });
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
      time: showHoldTime(terms.holdMs / 1_000),
      token: terms.customerTokenRequired ? "required" : "optional",
    };
  });
  const inOrder = rows.toSorted(
    (a, b) => a.partnerId.localeCompare(b.partnerId) || a.merchantId.localeCompare(b.merchantId),
  );
  return formatTable(columns, inOrder);
}
