/** The table of `titian merchant list`. */
import type { MerchantSummary } from "@titian/server/admin";
import { showDuration } from "../options/duration.ts";
import { showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";

const columns = {
  merchantId: "merchant",
  partnerId: "partner",
  name: "name",
  status: "status",
  settlementAccountNo: "settlement account",
  payerAccountNo: "payer account",
  hold: "default hold",
  time: "hold duration",
  refunds: "refunds",
  token: "customer token",
};

export function formatMerchants(merchants: readonly MerchantSummary[]): string {
  const rows = merchants.map(
    ({ defaultHoldAmount, currency, holdMs, refundDays, customerTokenRequired, ...merchant }) => ({
      ...merchant,
      hold: defaultHoldAmount === undefined ? undefined : showAmount(defaultHoldAmount, currency),
      time: showDuration(holdMs / 1_000),
      refunds: `${refundDays}d`,
      token: customerTokenRequired ? "required" : "optional",
    }),
  );
  return formatTable(columns, rows);
}
