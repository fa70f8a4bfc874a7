/** Tables of postings: of transfers, payments and payment requests. */
import { formatTimestamp } from "@titian/contract";
import type { PostingSummary } from "@titian/server/admin";
import { showAmount } from "./amounts.ts";
import { formatTable } from "./table.ts";

const postingColumns = {
  kind: "kind",
  amount: "amount",
  fromAccountNo: "from",
  toAccountNo: "to",
  at: "time",
  referenceNo: "reference no",
};

export function formatPostings(postings: readonly PostingSummary[], currency: string): string {
  const rows = postings.map((posting) => ({
    ...posting,
    amount: showAmount(posting.amount, currency),
    at: formatTimestamp(posting.at),
  }));
  return formatTable(postingColumns, rows);
}
