/** Bulk transfers (20): payer, sums, counts of items by result, notification. */
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { openCount } from "../../ledger/bulks/bulk.ts";
import { bulkStatus, settledNow } from "../../ledger/bulks/status.ts";
import type { BulkFacts } from "../../operations/bulks/bulk-facts.ts";
import { parseFacts } from "../../operations/stored-facts.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import { type BulkNotification, countBulkItems, findBulkNotification, type ItemsInState } from "./bulk-item-rows.ts";
import {
  findBulkOf,
  type FoundBulk,
  listBulks as readBulks,
  type OpenBulks,
  readOpenBulks,
} from "../../store/reads/bulks.ts";
import { type AccountSummary, summarizeAccount } from "../accounts/accounts.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface BulkSummary {
  readonly bulkId: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** Undefined: the partner gave it no number. */
  readonly partnerBulkId: string | undefined;
  readonly customerReference: string;
  readonly payerAccountNo: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Sum of the requested amounts, and of the fees; minor units. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly itemCount: number;
  /** Items by their results: all four add up to `itemCount`. */
  readonly settledCount: number;
  readonly rejectedCount: number;
  readonly returnedCount: number;
  readonly openCount: number;
  /** `latestTransactionStatus` of service 36. */
  readonly status: string;
  /** Business times (epoch ms); undefined while items are open. */
  readonly acceptedAt: number;
  readonly endedAt: number | undefined;
}

export interface BulkDetails extends BulkSummary {
  /** `X-EXTERNAL-ID`. */
  readonly externalId: string;
  /** Who bears the fees; undefined: `OUR`. */
  readonly feeType: string | undefined;
  readonly remark: string | undefined;
  readonly payer: AccountSummary | undefined;
  /** Of the status, as a sentence: `Settled 9997 of 10000`. */
  readonly description: string;
  /** Of its items, with their sums. */
  readonly states: readonly ItemsInState[];
  /** Notification 21, written with the last result: later returns do not change its status. Undefined while items are open. */
  readonly notification: BulkNotification | undefined;
  /** The debit of the payer; postings of results are the items'. */
  readonly postings: readonly PostingSummary[];
}

export interface BulksPage {
  /** `X-PARTNER-ID`; absent: bulks of all partners. */
  readonly partnerId?: string | undefined;
  /** Only those with open items. */
  readonly isOpen: boolean;
  /** bulkId before which the page starts; undefined: the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface Bulks {
  readonly bulks: readonly BulkSummary[];
  /** bulkId before which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/** A page of bulks, newest first; undefined when the partner is unknown. */
export async function listBulks(
  deps: QueryDeps,
  { partnerId, isOpen, before, limit }: BulksPage,
): Promise<Bulks | undefined> {
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  const page = await readBulks(deps.pool, {
    partner,
    isOpen,
    before: before === undefined ? undefined : fromReferenceNo(before),
    limit,
  });
  const bulks = page.map((found) => summarizeBulk(deps, found));
  return { bulks, next: page.length === limit ? bulks.at(-1)?.bulkId : undefined };
}

/** Open bulks and their open items; `olderThanMs`: only of bulks accepted at least so long ago (business time). */
export function countOpenBulks({ pool, clock }: QueryDeps, olderThanMs?: number): Promise<OpenBulks> {
  const now = clock.now();
  return readOpenBulks(pool, now, olderThanMs === undefined ? undefined : Math.max(0, now - olderThanMs));
}

/** The bulk of this bulkId, or that of the item of this referenceNo, or of an item's resolution or return. */
export async function findBulk(deps: QueryDeps, number: string): Promise<BulkDetails | undefined> {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : await findBulkOf(deps.pool, id);
  if (!found) return undefined;
  const { bulk, externalId } = found;
  const { feeType, remark } = parseFacts<BulkFacts>(found.facts).request;
  const [accounts, states, notification, postings] = await Promise.all([
    findAccountsById(deps.pool, [bulk.source]),
    countBulkItems(deps.pool, bulk.id),
    findBulkNotification(deps.pool, bulk.id),
    listPostings(deps, [bulk.id]),
  ]);
  const payer = accounts.get(bulk.source);
  return {
    ...summarizeBulk(deps, found),
    externalId,
    feeType,
    remark,
    payer: payer && summarizeAccount(payer),
    description: bulkStatus(bulk).description,
    states,
    notification,
    postings,
  };
}

function summarizeBulk(deps: QueryDeps, { bulk, payerAccountNo, facts }: FoundBulk): BulkSummary {
  const { partnerBulkId, customerReference } = parseFacts<BulkFacts>(facts).request;
  const { currency, amount, fee, itemCount, rejectedCount, returnedCount, endedAt } = bulk;
  return {
    bulkId: toReferenceNo(bulk.id),
    partnerId: partnerIdOf(deps, bulk.partner),
    partnerBulkId,
    customerReference,
    payerAccountNo,
    currency,
    amount,
    fee,
    itemCount,
    settledCount: settledNow(bulk),
    rejectedCount,
    returnedCount,
    openCount: openCount(bulk),
    status: bulkStatus(bulk).status,
    acceptedAt: bulk.at,
    endedAt,
  };
}
