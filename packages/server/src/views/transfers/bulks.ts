/** Bulk transfers (20): payer, sums, counts of items by result, notification. */
import { currencyScale, operations } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { openCount } from "../../ledger/bulks/bulk.ts";
import { bulkStatus, settledNow } from "../../ledger/bulks/status.ts";
import { type TransferState, transferStates } from "../../ledger/transfers/states.ts";
import type { BulkPayload } from "../../operations/bulks/bulk-payload.ts";
import { parsePayload } from "../../operations/stored-payload.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import {
  findBulkOf,
  type FoundBulk,
  listBulks as readBulks,
  type OpenBulks,
  readOpenBulks,
} from "../../store/reads/bulks.ts";
import { epochMs } from "../../store/statements/select-list.ts";
import { summarizeAccount } from "../accounts/accounts.ts";
import { listPostings } from "../accounts/postings.ts";
import { type ListPage, scanList } from "../../store/reads/scan-list.ts";
import { partnerIdOf, type QueryDeps, rangeOf, type Shown } from "../query-deps.ts";

export type BulkSummary = Shown<typeof summarizeBulk>;
export type BulkDetails = Shown<typeof findBulk>;

interface BulksPage extends ListPage {
  /** Only those with open items. */
  readonly isOpen: boolean;
}

/** A page of bulks that fit a filter; undefined when its partner is unknown. */
export async function listBulks(deps: QueryDeps, { isOpen, ...page }: BulksPage) {
  const { isOldestFirst, filter: { partnerId, ...filter } = {} } = page;
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  // A partner's bulks, and the open ones, have indexes of their own.
  const { rows, next, count } = await scanList({ ...page, filter }, rangeOf(deps, page), {
    read: (start, limit) => readBulks(deps.pool, { partner, isOpen, start, limit, isOldestFirst }),
    idOf: ({ bulk }) => bulk.id,
    factsOf: ({ bulk: { at, amount, currency } }) => ({ at, amount, scale: currencyScale(currency) }),
  });
  const bulks = rows.map((found) => summarizeBulk(deps, found));
  return { bulks, next: next === undefined ? undefined : toReferenceNo(next), count };
}

/** Open bulks and their open items; `olderThanMs`: only of bulks accepted at least so long ago (business time). */
export function countOpenBulks({ pool, clock }: QueryDeps, olderThanMs?: number): Promise<OpenBulks> {
  const now = clock.now();
  return readOpenBulks(pool, now, olderThanMs === undefined ? undefined : Math.max(0, now - olderThanMs));
}

/** The bulk of this bulkId, or that of the item of this referenceNo, or of an item's resolution or return. */
export async function findBulk(deps: QueryDeps, number: string) {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : await findBulkOf(deps.pool, id);
  if (!found) return undefined;
  const { bulk, externalId } = found;
  const { feeType, remark } = parsePayload<BulkPayload>(found.payload).request;
  const [accounts, states, notification, postings] = await Promise.all([
    findAccountsById(deps.pool, [bulk.source]),
    countBulkItems(deps, bulk.id),
    findBulkNotification(deps, bulk.id),
    listPostings(deps, [bulk.id]),
  ]);
  const payer = accounts.get(bulk.source);
  return {
    ...summarizeBulk(deps, found),
    /** `X-EXTERNAL-ID`. */
    externalId,
    /** Bearer of the fees; undefined: `OUR`. */
    feeType,
    remark,
    payer: payer && summarizeAccount(payer),
    /** Description of the status, as a sentence: `Settled 9997 of 10000`. */
    description: bulkStatus(bulk).description,
    states,
    /** Notification 21, written with the last result: later returns do not change its status. */
    notification,
    /** The debit of the payer; postings of results are the items'. */
    postings,
  };
}

function summarizeBulk(deps: QueryDeps, { bulk, payerAccountNo, payload }: FoundBulk) {
  const { partnerBulkId, customerReference } = parsePayload<BulkPayload>(payload).request;
  const { currency, amount, fee, itemCount, rejectedCount, returnedCount, endedAt } = bulk;
  return {
    bulkId: toReferenceNo(bulk.id),
    /** `X-PARTNER-ID`. */
    partnerId: partnerIdOf(deps, bulk.partner),
    /** Undefined: the partner gave it no number. */
    partnerBulkId,
    customerReference,
    payerAccountNo,
    currency,
    /** Sum of the requested amounts, and of the fees; minor units. */
    amount,
    fee,
    /** Items, and by their results: the four add up to it. */
    itemCount,
    settledCount: settledNow(bulk),
    rejectedCount,
    returnedCount,
    openCount: openCount(bulk),
    /** `latestTransactionStatus` of service 36. */
    status: bulkStatus(bulk).status,
    /** Business times (epoch ms); `endedAt`: undefined while items are open. */
    acceptedAt: bulk.at,
    endedAt,
  };
}

/** As members of their own: the four results add up to `items`. */
export function countsOf({ itemCount, settledCount, rejectedCount, returnedCount, openCount: open }: BulkSummary) {
  return { items: itemCount, settled: settledCount, rejected: rejectedCount, returned: returnedCount, open };
}

/** Items of a bulk by state, in the order of `transferStates`; a state of no item is left out. */
async function countBulkItems({ pool }: QueryDeps, bulk: string) {
  const rows = await queryRows(pool, {
    name: "count-bulk-items",
    text: `select state, count(*), count(*) filter (where is_open and next_inquiry_at is null), sum(amount), sum(fee)
      from transfers where bulk_id = $1::uuid group by state order by array_position($2::text[], state)`,
    values: [bulk, Object.keys(transferStates)],
  });
  return rows.map(([state, count, unsubmitted, sentAmount, fee]) => ({
    state: state as TransferState,
    count: Number(count),
    /** Those of them that were never submitted to the rail. */
    unsubmittedCount: Number(unsubmitted),
    /** Sums in minor units. */
    sentAmount: BigInt(sentAmount as string),
    fee: BigInt(fee as string),
  }));
}

const notificationService = Number(operations.bulkNotification.code);

/** The notification of a bulk, with its `latestTransactionStatus`; undefined while it is open. */
async function findBulkNotification({ pool }: QueryDeps, bulk: string) {
  const [row] = await queryRows(pool, {
    name: "read-bulk-notification",
    text: `select status, ${epochMs("created_at")} from outbox where aggregate_id = $1::uuid and service = $2::int`,
    values: [bulk, notificationService],
  });
  return row && { status: row[0] as string, at: Number(row[1]) };
}
