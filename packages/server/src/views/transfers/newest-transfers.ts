/** Transfers within the bank (17) and over rails (18, 22, 23), newest first. */
import { currencyScale, writesOf } from "@titian/contract";
import { highestId, toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import { parsePayload, type TransferPayload } from "../../operations/stored-payload.ts";
import { listAcceptedRequests, listNewestRequests } from "../../store/reads/accepted-requests.ts";
import { findTransfersById, type FoundTransfer } from "../../store/reads/transfers.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { detachedWithin } from "../detached.ts";
import { idOf, type NewestFirst, partnerIdOf, type QueryDeps } from "../query-deps.ts";

const services: ReadonlySet<number> = new Set(writesOf("transfer").map(({ code }) => Number(code)));
/** They stand among all accepted requests, items of bulks too: at most so many are read for a page, in slices. */
const scanMax = 20_000;
const scanPage = 1_000;

/** A page may have fewer than `limit` although there are more: `next` says where to continue. */
export async function listNewestTransfers(deps: QueryDeps, { before, limit }: NewestFirst) {
  let last = idOf(before) ?? highestId;
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
  // `detached`: names of the detached partitions whose requests are missing in the page.
  return { transfers, next, detached };
}

async function describeAll(deps: QueryDeps, ids: readonly string[]) {
  const [requests, found] = await Promise.all([
    listAcceptedRequests(deps.pool, ids),
    findTransfersById(deps.pool, ids),
  ]);
  const transfers = new Map(found.map((one) => [one.transfer.id, one]));
  return requests.toReversed().map((request) => describe(deps, request, transfers.get(request.id)));
}

function describe(
  deps: QueryDeps,
  { id, partner, service, payload, at }: AcceptedRequest,
  found: FoundTransfer | undefined,
) {
  const { request } = parsePayload<
    TransferPayload & { readonly request: { readonly beneficiaryAccountName?: string } }
  >(payload);
  const { amount, sourceAccountNo, beneficiaryAccountNo } = request;
  const state = found?.transfer.state ?? "settled";
  return {
    referenceNo: toReferenceNo(id),
    partnerId: partnerIdOf(deps, partner),
    partnerReferenceNo: request.partnerReferenceNo,
    serviceCode: String(service),
    /** Undefined: within the bank. */
    rail: found?.transfer.rail,
    payerAccountNo: sourceAccountNo,
    beneficiaryAccountNo,
    beneficiaryName: request.beneficiaryAccountName,
    beneficiaryBankCode: request.beneficiaryBankCode,
    currency: amount.currency,
    /** Minor units: what the beneficiary gets, and the fee beside it. */
    amount: found?.transfer.sentAmount ?? parseMinor(amount.value, currencyScale(amount.currency) ?? 0) ?? minor(0n),
    fee: found?.transfer.fee ?? 0n,
    state,
    status: transferStates[state].status,
    acceptedAt: at,
  };
}
