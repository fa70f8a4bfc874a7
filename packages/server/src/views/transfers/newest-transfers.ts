/** Transfers within the bank (17) and over rails (18, 22, 23), newest first. */
import { currencyScale, writesOf } from "@titian/contract";
import { fromReferenceNo, highestId, toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import { parseFacts, type TransferFacts } from "../../operations/stored-facts.ts";
import { listAcceptedRequests, listNewestRequests } from "../../store/reads/accepted-requests.ts";
import { findTransfersById, type FoundTransfer } from "../../store/reads/transfers.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { detachedWithin } from "../detached.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface NewestTransfer {
  readonly referenceNo: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  /** Service code as a number. */
  readonly service: number;
  /** Undefined: within the bank. */
  readonly rail: string | undefined;
  readonly payerAccountNo: string;
  readonly beneficiary: {
    readonly accountNo: string;
    readonly name: string | undefined;
    readonly bankCode: string | undefined;
  };
  /** ISO 4217. */
  readonly currency: string;
  /** Minor units: what the beneficiary gets, and the fee beside it. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly state: string;
  /** `latestTransactionStatus`. */
  readonly status: string;
  /** Business time (epoch ms). */
  readonly acceptedAt: number;
}

export interface NewestTransfersPage {
  /** referenceNo before which the page starts; undefined: the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface NewestTransfers {
  readonly transfers: readonly NewestTransfer[];
  /** referenceNo before which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
  /** Names of the detached partitions whose requests are missing in the page. */
  readonly detached: readonly string[];
}

const services: ReadonlySet<number> = new Set(writesOf("transfer").map(({ code }) => Number(code)));
/** They stand among all accepted requests, items of bulks too: at most so many are read for a page, in slices. */
const scanMax = 20_000;
const scanPage = 1_000;

/** A page may have fewer than `limit` although there are more: `next` says where to continue. */
export async function listNewestTransfers(
  deps: QueryDeps,
  { before, limit }: NewestTransfersPage,
): Promise<NewestTransfers> {
  let last = (before === undefined ? undefined : fromReferenceNo(before)) ?? highestId;
  let hasMore = true;
  const ids: string[] = [];
  for (let scanned = 0; hasMore && ids.length < limit && scanned < scanMax; scanned += scanPage) {
    const page = await listNewestRequests(deps.pool, { before: last, limit: scanPage });
    const found = page.filter(({ service }) => services.has(service)).slice(0, limit - ids.length);
    ids.push(...found.map(({ id }) => id));
    const isFull = ids.length === limit;
    last = (isFull ? found : page).at(-1)?.id ?? last;
    hasMore = isFull || page.length === scanPage;
  }
  const next = hasMore ? toReferenceNo(last) : undefined;
  const [transfers, detached] = await Promise.all([describeAll(deps, ids), detachedWithin(deps, before, next)]);
  return { transfers, next, detached };
}

async function describeAll(deps: QueryDeps, ids: readonly string[]): Promise<readonly NewestTransfer[]> {
  const [requests, found] = await Promise.all([
    listAcceptedRequests(deps.pool, ids),
    findTransfersById(deps.pool, ids),
  ]);
  const transfers = new Map(found.map((one) => [one.transfer.id, one]));
  return requests.toReversed().map((request) => describe(deps, request, transfers.get(request.id)));
}

function describe(
  deps: QueryDeps,
  { id, partner, service, facts, at }: AcceptedRequest,
  found: FoundTransfer | undefined,
): NewestTransfer {
  const { request } = parseFacts<TransferFacts & { readonly request: { readonly beneficiaryAccountName?: string } }>(
    facts,
  );
  const { amount, sourceAccountNo, beneficiaryAccountNo: accountNo } = request;
  const state = found?.transfer.state ?? "settled";
  return {
    referenceNo: toReferenceNo(id),
    partnerId: partnerIdOf(deps, partner),
    partnerReferenceNo: request.partnerReferenceNo,
    service,
    rail: found?.transfer.rail,
    payerAccountNo: sourceAccountNo,
    beneficiary: { accountNo, name: request.beneficiaryAccountName, bankCode: request.beneficiaryBankCode },
    currency: amount.currency,
    amount: found?.transfer.sentAmount ?? parseMinor(amount.value, currencyScale(amount.currency) ?? 0) ?? minor(0n),
    fee: found?.transfer.fee ?? 0n,
    state,
    status: transferStates[state].status,
    acceptedAt: at,
  };
}
