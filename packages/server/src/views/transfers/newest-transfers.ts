/** Transfers within the bank (17) and over rails (18, 22, 23), in the order in which they were accepted. */
import { currencyScale, writesOf } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { minor, parseMinor } from "../../ledger/money.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import { parsePayload, type TransferPayload } from "../../operations/stored-payload.ts";
import { listAcceptedRequests, type ListedRequest, listRequests } from "../../store/reads/accepted-requests.ts";
import { type ListPage, scanList } from "../../store/reads/scan-list.ts";
import { findTransfersById, type FoundTransfer } from "../../store/reads/transfers.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { detachedWithin } from "../detached.ts";
import { partnerIdOf, type QueryDeps, rangeOf } from "../query-deps.ts";

const services: ReadonlySet<number> = new Set(writesOf("transfer").map(({ code }) => Number(code)));
/**
 * A page of the transfers that fit a filter: they stand among all accepted requests, items of bulks too. It may have fewer than
 * `limit` although there are more: `next` says where to continue.
 */
export async function listNewestTransfers(deps: QueryDeps, page: ListPage) {
  const { isOldestFirst, filter: { state, minimum, maximum } = {} } = page;
  const hasResults = state !== undefined || minimum !== undefined || maximum !== undefined;
  const withResults = hasResults ? [...services] : undefined;
  const range = rangeOf(deps, page);
  const { rows, next, count } = await scanList(page, range, {
    read: (start, limit) => listRequests(deps.pool, { start, limit, isOldestFirst, withResults }),
    idOf: ({ id }) => id,
    factsOf: (request) => (services.has(request.service) ? factsOf(deps, request) : undefined),
    isMixed: true,
  });
  const ids = rows.map(({ id }) => id);
  const [transfers, detached] = await Promise.all([
    describeAll(deps, ids),
    detachedWithin(deps, range, next, isOldestFirst),
  ]);
  // `detached`: names of the detached partitions whose requests are missing in the page.
  return { transfers, next: next === undefined ? undefined : toReferenceNo(next), count, detached };
}

function factsOf(deps: QueryDeps, { partner, service, at, value, currency, state = "settled" }: ListedRequest) {
  const scale = currency === undefined ? undefined : currencyScale(currency);
  const amount = value === undefined ? undefined : parseMinor(value, scale ?? 0);
  return { partnerId: partnerIdOf(deps, partner), serviceCode: String(service), at, state, amount, scale };
}

/** In the order of the ids. */
async function describeAll(deps: QueryDeps, ids: readonly string[]) {
  const [accepted, found] = await Promise.all([
    listAcceptedRequests(deps.pool, ids),
    findTransfersById(deps.pool, ids),
  ]);
  const requests = new Map(accepted.map((one) => [one.id, one]));
  const transfers = new Map(found.map((one) => [one.transfer.id, one]));
  return ids.flatMap((id) => {
    const request = requests.get(id);
    return request ? [describe(deps, request, transfers.get(id))] : [];
  });
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
