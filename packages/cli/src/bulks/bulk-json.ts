/** Bulk transfers for JSON: decimal amounts, and times as in calls. */
import { formatTimestamp } from "@titian/contract";
import type { BulkDetails, BulkItemSummary, BulkSummary } from "@titian/server/admin";
import { showAmount } from "../tables/amounts.ts";

export function toPlainBulk(bulk: BulkSummary): object {
  const { currency, amount, fee, acceptedAt, endedAt } = bulk;
  return {
    ...bulk,
    amount: showAmount(amount, currency),
    fee: showAmount(fee, currency),
    acceptedAt: formatTimestamp(acceptedAt),
    endedAt: showTime(endedAt),
  };
}

/** The payer and the postings are those of its account. */
export function toPlainDetails({ payer: _, postings, ...bulk }: BulkDetails): object {
  const { currency, states, notification } = bulk;
  return {
    ...bulk,
    ...toPlainBulk(bulk),
    debited: showAmount(postings[0]?.amount ?? 0n, currency),
    states: states.map(({ sentAmount, fee, ...items }) => ({
      ...items,
      sentAmount: showAmount(sentAmount, currency),
      fee: showAmount(fee, currency),
    })),
    notification: notification && { ...notification, at: formatTimestamp(notification.at) },
  };
}

export function toPlainItem({ bulk: _, ...item }: BulkItemSummary): object {
  const { currency, amount, sentAmount, fee, acceptedAt, nextInquiryAt } = item;
  return {
    ...item,
    amount: showAmount(amount, currency),
    sentAmount: showAmount(sentAmount, currency),
    fee: showAmount(fee, currency),
    acceptedAt: formatTimestamp(acceptedAt),
    nextInquiryAt: showTime(nextInquiryAt),
  };
}

function showTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatTimestamp(at);
}
