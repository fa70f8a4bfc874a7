/** Tables of `titian bulk list` and `titian bulk show`. */
import type { BulkDetailsView, BulkItemView, BulkView } from "@titian/sandbox/types";
import { describeAccount } from "../tables/account.ts";
import { formatAmounts, formatFields } from "../tables/fields.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { describeNextInquiry } from "../transfers/transfer-tables.ts";

const listColumns = {
  bulkId: "bulk",
  partnerId: "partner",
  partnerBulkId: "partner's number",
  payerAccountNo: "payer",
  items: "items",
  amount: amountColumn("amount"),
  currency: "currency",
  settled: "settled",
  rejected: "rejected",
  returned: "returned",
  open: "open",
  acceptedAt: "accepted",
  endedAt: "ended",
};

export function formatBulks(bulks: readonly BulkView[]): string {
  return formatTable(listColumns, bulks);
}

/** Parties, status, sums, and items by state. */
export function formatBulk(bulk: BulkDetailsView): string {
  const { partnerId, partnerBulkId, currency, endedAt, notification } = bulk;
  const fields = formatFields([
    ["partner", partnerBulkId === undefined ? `${partnerId}, without a number` : `${partnerId}, as ${partnerBulkId}`],
    ["requested via", `service 20, X-EXTERNAL-ID ${bulk.externalId}`],
    ["customer reference", bulk.customerReference],
    ["remark", bulk.remark],
    ["payer", describeAccount(bulk.payer) ?? bulk.payerAccountNo],
    ["state", `${endedAt === undefined ? "open" : "ended"} (${bulk.status}): ${bulk.description}`],
    ["accepted", bulk.acceptedAt],
    ["ended", endedAt],
    ["notification", notification && `21 with status ${notification.status}, ${notification.at}`],
    ["items", String(bulk.items)],
    ["fee type", bulk.feeType ?? "OUR"],
  ]);
  const amounts = [
    ["amount", bulk.amount],
    ["fees", bulk.fee],
    ["debited", bulk.debited],
  ] as const;
  return [`Bulk ${bulk.bulkId}`, fields, formatAmounts(amounts, currency), formatStates(bulk)].join("\n\n");
}

const barWidth = 40;

function formatStates({ states, items }: BulkDetailsView): string {
  const rows = states.map((state) => ({
    ...state,
    // A single item already shows something.
    share: "#".repeat(Math.max(1, Math.floor((state.count * barWidth) / items))).padEnd(barWidth, "."),
    waiting: state.unsubmittedCount === 0 ? "" : `${state.unsubmittedCount} wait for their turn`,
  }));
  const columns = {
    state: "state",
    count: "items",
    sentAmount: amountColumn("sent amount"),
    fee: amountColumn("fees"),
    share: "share",
  };
  const isWaiting = rows.some(({ waiting }) => waiting !== "");
  return formatTable(isWaiting ? { ...columns, waiting: "not submitted yet" } : columns, rows);
}

const itemColumns = {
  position: "position",
  partnerReferenceNo: "partner's number",
  referenceNo: "transfer",
  beneficiaryBankCode: "bank",
  beneficiary: "beneficiary",
  amount: amountColumn("amount"),
  state: "state",
  detail: "reject reason, next inquiry",
};

export function formatItems(items: readonly BulkItemView[]): string {
  const rows = items.map((item) => ({
    ...item,
    beneficiary: `${item.beneficiaryAccountNo} ${item.beneficiaryName}`,
    detail: item.rejection
      ? `${item.rejection.kind} (${item.rejection.responseMessage})`
      : describeNextInquiry({ ...item, bulk: item }),
  }));
  return formatTable(itemColumns, rows);
}
