/** Tables of postings: of transfers, payments and payment requests. */
import type { PostingView } from "@titian/sandbox/types";
import { amountColumn, formatTable } from "./table.ts";

const postingColumns = {
  kind: "kind",
  amount: amountColumn("amount"),
  fromAccountNo: "from",
  toAccountNo: "to",
  at: "time",
  referenceNo: "reference no",
};

export function formatPostings(postings: readonly PostingView[]): string {
  return formatTable(postingColumns, postings);
}
