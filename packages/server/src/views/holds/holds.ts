/** Holds with their amounts. A hold past its expiry counts as expired before the job has run. */
import { currencyScale } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { holdAt, remaining } from "../../ledger/holds/hold.ts";
import { holdState, holdStates } from "../../ledger/holds/states.ts";
import { findAccountByNumber, findAccountsById } from "../../store/reads/accounts.ts";
import {
  findHold as readHold,
  type FoundHold,
  listHoldsOfMerchant,
  listHolds,
  listOpenHolds,
} from "../../store/reads/holds.ts";
import { summarizeAccount } from "../accounts/accounts.ts";
import { type ListPage, scanList } from "../../store/reads/scan-list.ts";
import { idOf, type NewestFirst, partnerIdOf, type QueryDeps, rangeOf, type Shown } from "../query-deps.ts";
import { findHoldOfChange } from "./hold-events.ts";

export type HoldSummary = Shown<typeof summarizeHold>;
export type HoldDetails = Shown<typeof findHold>;
export type OpenHolds = Shown<typeof listOpenHoldsOfAccount>;

export function summarizeHold(
  deps: Pick<QueryDeps, "reference"> & { readonly clock: Pick<Clock, "now"> },
  found: FoundHold,
) {
  const hold = holdAt(found.hold, deps.clock.now());
  const { partnerReferenceNo, merchantId, currency, held, captured, voided, expired, refunded, expiresAt } = hold;
  return {
    referenceNo: toReferenceNo(hold.id),
    /** `X-PARTNER-ID`. */
    partnerId: partnerIdOf(deps, hold.partner),
    partnerReferenceNo,
    merchantId,
    payerAccountNo: found.payerAccountNo,
    settlementAccountNo: found.settlementAccountNo,
    currency,
    /** Amounts in minor units: held = captured + voided + expired + remaining. */
    held,
    captured,
    voided,
    expired,
    /** Amount that may still be captured or voided. */
    remaining: remaining(hold),
    /** Refunded part of the captured amount. */
    refunded,
    state: holdState(hold),
    /** Business times (epoch ms). */
    placedAt: hold.at,
    expiresAt,
  };
}

/** The hold of this referenceNo, or of the captureNo, voidNo or refundNo of one of its events. */
export async function findHold(deps: QueryDeps, number: string) {
  const { pool } = deps;
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : ((await readHold(pool, id)) ?? (await findByChange(deps, id)));
  if (!found) return undefined;
  const { hold } = found;
  const accounts = await findAccountsById(pool, [hold.payer, hold.settlement]);
  const [payer, settlement] = [accounts.get(hold.payer), accounts.get(hold.settlement)];
  const summary = summarizeHold(deps, found);
  const { status, meaning } = holdStates[summary.state];
  return {
    ...summary,
    subMerchantId: hold.subMerchantId,
    externalStoreId: hold.externalStoreId,
    payer: payer && summarizeAccount(payer),
    settlement: settlement && summarizeAccount(settlement),
    /** `latestTransactionStatus` of service 64. */
    status,
    /** Meaning of the state, as a sentence. */
    meaning,
    /** Number of its events. */
    events: hold.eventCount,
  };
}

async function findByChange({ pool }: QueryDeps, id: string): Promise<FoundHold | undefined> {
  const hold = await findHoldOfChange(pool, id);
  return hold === undefined ? undefined : readHold(pool, hold);
}

/** A page of all holds that fit a filter; its amounts are what was held. */
export async function listNewestHolds(deps: QueryDeps, page: ListPage) {
  const { rows, next, count } = await scanList(page, rangeOf(deps, page), {
    read: (start, limit) => listHolds(deps.pool, { start, limit, isOldestFirst: page.isOldestFirst }),
    idOf: ({ hold }) => hold.id,
    factsOf: (found) => {
      const { partnerId, state, placedAt: at, held: amount, currency } = summarizeHold(deps, found);
      return { partnerId, state, at, amount, scale: currencyScale(currency) };
    },
  });
  return { ...pageOf(deps, rows, next), count };
}

/** A page of the open holds on a payer account; undefined when there is no account of this number. */
export async function listOpenHoldsOfAccount(deps: QueryDeps, accountNo: string, { before, limit }: NewestFirst) {
  const account = await findAccountByNumber(deps.pool, accountNo);
  if (!account) return undefined;
  const page = await listOpenHolds(deps.pool, account.id, { before: idOf(before), limit });
  return pageOf(deps, page, page.length === limit ? page.at(-1)?.hold.id : undefined);
}

/** To list a merchant's open holds, its holds in any state are scanned: at most this many, in pages. */
const scanMax = 20_000;
const scanPage = 1_000;

/**
 * Open holds of a merchant; undefined when the partner is unknown. A page may have fewer than `limit` although there are
 * more: `next` says where to continue.
 */
export async function listOpenHoldsOfMerchant(
  deps: QueryDeps,
  { partnerId, merchantId }: { readonly partnerId: string; readonly merchantId: string },
  { before, limit }: NewestFirst,
) {
  const partner = deps.reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) return undefined;
  const open: FoundHold[] = [];
  let last = idOf(before);
  let hasMore = true;
  for (let scanned = 0; hasMore && scanned < scanMax; scanned += scanPage) {
    const page = await listHoldsOfMerchant(deps.pool, { partner, merchantId }, { before: last, limit: scanPage });
    const found = page.filter(({ hold }) => remaining(hold) > 0n).slice(0, limit - open.length);
    open.push(...found);
    const isFull = open.length === limit;
    last = (isFull ? found : page).at(-1)?.hold.id ?? last;
    hasMore = isFull || page.length === scanPage;
    if (isFull) break;
  }
  return pageOf(deps, open, hasMore ? last : undefined);
}

/** `next`: the referenceNo before which the next page starts; undefined on the last page. */
function pageOf(deps: QueryDeps, found: readonly FoundHold[], last: string | undefined) {
  const holds = found.map((one) => summarizeHold(deps, one));
  return { holds, next: last === undefined ? undefined : toReferenceNo(last) };
}
