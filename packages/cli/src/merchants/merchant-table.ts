/** The table of `titian merchant list`. */
import type { MerchantView } from "@titian/sandbox/types";
import { showDuration } from "../options/duration.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

const columns = {
  merchantId: "merchant",
  partnerId: "partner",
  name: "name",
  status: "status",
  settlementAccountNo: "settlement account",
  payerAccountNo: "payer account",
  defaultHoldAmount: amountColumn("default hold"),
  time: "hold duration",
  refunds: "refunds",
  token: "customer token",
};

export function formatMerchants(merchants: readonly MerchantView[]): string {
  const rows = merchants.map((merchant) => ({
    ...merchant,
    time: showDuration(merchant.holdSeconds),
    refunds: `${merchant.refundDays}d`,
    token: merchant.customerTokenRequired ? "required" : "optional",
  }));
  return formatTable(columns, rows);
}
