/** Pages of open holds, newest first. */
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { remaining } from "../../ledger/holds/hold.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { type FoundHold, listHoldsOfMerchant, listOpenHolds } from "../../store/reads/holds.ts";
import { type HoldSummary, summarizeHold } from "./holds.ts";
import type { QueryDeps } from "../query-deps.ts";

export interface OpenHoldsPage {
  /** referenceNo before which the page starts; undefined: the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface OpenHolds {
  readonly holds: readonly HoldSummary[];
  /** referenceNo before which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/** To list a merchant's open holds, its holds in any state are scanned: at most this many, in pages. */
const scanMax = 20_000;
const scanPage = 1_000;

/** Open holds on a payer account; undefined when there is no account of this number. */
export async function listOpenHoldsOfAccount(
  { pool, clock }: QueryDeps,
  accountNo: string,
  { before, limit }: OpenHoldsPage,
): Promise<OpenHolds | undefined> {
  const account = await findAccountByNumber(pool, accountNo);
  if (!account) return undefined;
  const page = await listOpenHolds(pool, account.id, { before: idOf(before), limit });
  const last = page.length === limit ? page.at(-1)?.hold.id : undefined;
  return toOpenHolds(page, last, clock.now());
}

/**
 * Open holds of a merchant; undefined when the partner is unknown. A page may have fewer than `limit` although there are
 * more: `next` says where to continue.
 */
export async function listOpenHoldsOfMerchant(
  { pool, clock, reference }: QueryDeps,
  { partnerId, merchantId }: { readonly partnerId: string; readonly merchantId: string },
  { before, limit }: OpenHoldsPage,
): Promise<OpenHolds | undefined> {
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return undefined;
  const open: FoundHold[] = [];
  let last = idOf(before);
  let hasMore = true;
  for (let scanned = 0; hasMore && scanned < scanMax; scanned += scanPage) {
    const page = await listHoldsOfMerchant(pool, { partner, merchantId }, { before: last, limit: scanPage });
    const found = page.filter(({ hold }) => remaining(hold) > 0n).slice(0, limit - open.length);
    open.push(...found);
    const isFull = open.length === limit;
    last = (isFull ? found : page).at(-1)?.hold.id ?? last;
    hasMore = isFull || page.length === scanPage;
    if (isFull) break;
  }
  return toOpenHolds(open, hasMore ? last : undefined, clock.now());
}

function idOf(referenceNo: string | undefined): string | undefined {
  return referenceNo === undefined ? undefined : fromReferenceNo(referenceNo);
}

function toOpenHolds(found: readonly FoundHold[], last: string | undefined, now: number): OpenHolds {
  const holds = found.map((one) => summarizeHold(one, now));
  return { holds, next: last === undefined ? undefined : toReferenceNo(last) };
}
