/** Items of a bulk transfer (20): a page of them, by position. */
import { fromReferenceNo } from "../../basics/ids.ts";
import { afterEvent, type TransferState, transferStates } from "../../ledger/transfers/states.ts";
import type { ItemPayload } from "../../operations/bulks/bulk-payload.ts";
import { parsePayload } from "../../operations/stored-payload.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { foundColumns, type FoundTransfer, readFoundTransfer } from "../../store/reads/transfers.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";
import { summarizeRejection } from "../rejections.ts";
import { summarizeTransfer } from "./transfers.ts";

export type BulkItemSummary = Shown<typeof summarizeItem>;

/** `unsettled`: neither settled nor waiting for its turn, so what an operator may want to look at. `open`: without a result. */
export type BulkItemFilter = TransferState | "unsettled" | "open" | "all";

interface BulkItemsPage {
  readonly filter: BulkItemFilter;
  /** Position after which the page starts; undefined: the first. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const allStates = Object.keys(transferStates) as readonly TransferState[];

function statesOf(filter: BulkItemFilter): readonly TransferState[] {
  if (filter === "all") return allStates;
  if (filter === "open") return allStates.filter((state) => afterEvent(state, "settle") !== undefined);
  return filter === "unsettled" ? allStates.filter((state) => state !== "settled") : [filter];
}

/** A page of items in the order of the request; empty for an unknown bulkId. `next`: undefined on the last page. */
export async function listBulkItems(
  { pool }: Pick<QueryDeps, "pool">,
  bulkId: string,
  { filter, after = -1, limit }: BulkItemsPage,
) {
  const bulk = fromReferenceNo(bulkId);
  if (bulk === undefined) return { items: [], next: undefined };
  const rows = await queryRows(pool, {
    name: "list-bulk-items",
    text: `select ${foundColumns} from transfers where bulk_id = $1::uuid and bulk_position > $2::int
        and state = any($3::text[]) and not ($4::boolean and is_open and next_inquiry_at is null)
      order by bulk_position limit $5::int`,
    values: [bulk, after, statesOf(filter), filter === "unsettled", limit],
  });
  const items = rows.map((row) => summarizeItem(readFoundTransfer(row)));
  return { items, next: items.length === limit ? items.at(-1)?.position : undefined };
}

function summarizeItem(found: FoundTransfer) {
  const { transfer, payload, bulkPosition = 0 } = found;
  const { service, rejection } = transfer;
  return {
    ...summarizeTransfer(found),
    /** In the request, from 0. */
    position: bulkPosition,
    partnerReferenceNo: parsePayload<ItemPayload>(payload).request.partnerReferenceNo,
    /** Requested amount in minor units. */
    amount: transfer.dailyLimitAmount,
    /** Rejection by the rail. */
    rejection: rejection && summarizeRejection(service, { kind: rejection }),
  };
}
