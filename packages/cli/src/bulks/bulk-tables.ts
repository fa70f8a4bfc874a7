/** Tables of `titian bulk list` and `titian bulk show`. */
import { formatTimestamp } from "@titian/contract";
import type { BulkDetails, BulkItemSummary, BulkSummary } from "@titian/server/admin";
import { describeAccount } from "../accounts/account-tables.ts";
import { showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";
import { describeNextInquiry } from "../transfers/transfer-tables.ts";

const listColumns = {
  bulkId: "bulk",
  partnerId: "partner",
  partnerBulkId: "partner's number",
  payerAccountNo: "payer",
  itemCount: "items",
  amount: "amount",
  currency: "currency",
  settledCount: "settled",
  rejectedCount: "rejected",
  returnedCount: "returned",
  openCount: "open",
  accepted: "accepted",
  ended: "ended",
};

export function formatBulks(bulks: readonly BulkSummary[]): string {
  const rows = bulks.map((bulk) => ({
    ...bulk,
    amount: showAmount(bulk.amount, bulk.currency),
    accepted: formatTimestamp(bulk.acceptedAt),
    ended: bulk.endedAt === undefined ? "" : formatTimestamp(bulk.endedAt),
  }));
  return formatTable(listColumns, rows);
}

/** Parties, status, sums, and items by state. */
export function formatBulk(bulk: BulkDetails): string {
  const { partnerId, partnerBulkId, currency, endedAt, notification, postings } = bulk;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", partnerBulkId === undefined ? `${partnerId}, without a number` : `${partnerId}, as ${partnerBulkId}`],
    ["requested via", `service 20, X-EXTERNAL-ID ${bulk.externalId}`],
    ["customer reference", bulk.customerReference],
    ["remark", bulk.remark],
    ["payer", describeAccount(bulk.payer) ?? bulk.payerAccountNo],
    ["state", `${endedAt === undefined ? "open" : "ended"} (${bulk.status}): ${bulk.description}`],
    ["accepted", formatTimestamp(bulk.acceptedAt)],
    ["ended", endedAt === undefined ? undefined : formatTimestamp(endedAt)],
    ["notification", notification && `21 with status ${notification.status}, ${formatTimestamp(notification.at)}`],
    ["items", String(bulk.itemCount)],
    ["fee type", bulk.feeType ?? "OUR"],
  ];
  const amounts = Object.entries({ amount: bulk.amount, fees: bulk.fee, debited: postings[0]?.amount ?? 0n }).map(
    ([name, amount]) => [name, showAmount(amount, currency)] as const,
  );
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Bulk ${bulk.bulkId}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
    "",
    formatStates(bulk),
  ].join("\n");
}

const barWidth = 40;

function formatStates({ states, itemCount, currency }: BulkDetails): string {
  const rows = states.map(({ state, count, unsubmittedCount, sentAmount, fee }) => ({
    state,
    count,
    sentAmount: showAmount(sentAmount, currency),
    fee: showAmount(fee, currency),
    // Of at least one item something is seen.
    share: "#".repeat(Math.max(1, Math.floor((count * barWidth) / itemCount))).padEnd(barWidth, "."),
    waiting: unsubmittedCount === 0 ? "" : `${unsubmittedCount} wait for their turn`,
  }));
  const columns = { state: "state", count: "items", sentAmount: "sent amount", fee: "fees", share: "share" };
  const isWaiting = rows.some(({ waiting }) => waiting !== "");
  return formatTable(isWaiting ? { ...columns, waiting: "not submitted yet" } : columns, rows);
}

const itemColumns = {
  position: "position",
  partnerReferenceNo: "partner's number",
  referenceNo: "transfer",
  bank: "bank",
  beneficiary: "beneficiary",
  amount: "amount",
  state: "state",
  detail: "reject reason, next inquiry",
};

export function formatItems(items: readonly BulkItemSummary[]): string {
  const rows = items.map(({ beneficiary, rejection, ...item }) => ({
    ...item,
    bank: beneficiary.bankCode,
    beneficiary: `${beneficiary.accountNo} ${beneficiary.name}`,
    amount: showAmount(item.amount, item.currency),
    detail: rejection === undefined ? describeNextInquiry(item) : `${rejection.kind} (${rejection.responseMessage})`,
  }));
  return formatTable(itemColumns, rows);
}
