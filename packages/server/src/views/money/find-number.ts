/**
 * Search by any number: a partner's, ours, an external id, an account's, a rail's. Each kind is looked up by its index;
 * partners' numbers are kept as hashes with the partner, so they are asked for once a partner.
 */
import { operationByCode, type OperationName, type operations } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { fromReferenceNo, idsOfExternalId, toReferenceNo } from "../../basics/ids.ts";
import { rejectionOf } from "../../operations/rejection-cases.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { findPaymentRequestOf } from "../../store/reads/payment-requests.ts";
import {
  findAcceptedByKeys,
  findAccountsOfJournal,
  findByTraceNo,
  findNotified,
  findRejectedByKeys,
  keysOfNumber,
  keysWithinHolds,
  listNewestHoldNumbers,
  type RequestKeys,
} from "./numbers.ts";
import { listCallsOfNumber } from "../../store/tables/search/kept-calls.ts";
import { findTransfersOfJournal } from "../../store/reads/transfers.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { describeRequest, type MatchedBy, type NamedMatch, type NumberMatch } from "./number-match.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

type Writes = Extract<(typeof operations)[OperationName], { readonly kind: "write" }>["about"];

export const matchesMax = 20;
/** Hashing the keys of so many takes some 10 ms. */
const partnersMax = 1_000;
/** Numbers of captures, voids and refunds are found on so many of the newest holds. */
const holdsMax = 1_000;
const notificationAgeMs = 2 * 366 * 86_400_000;
const numberLengthMax = 64;

export interface NumberDeps extends QueryDeps {
  /** Business time; real time, by which ids are made. */
  readonly clock: Pick<Clock, "now" | "real">;
}

interface FoundRequest {
  readonly request: AcceptedRequest;
  readonly matchedBy: MatchedBy;
}

/** Newest first, at most 20. Undefined when the partner that is named is unknown. */
export async function findNumber(
  deps: NumberDeps,
  { number, partnerId }: { readonly number: string; readonly partnerId?: string | undefined },
) {
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  // PostgreSQL rejects a text with NUL, and no number is longer.
  if (number === "" || number.length > numberLengthMax || number.includes("\u0000")) {
    return { matches: [], needsPartner: false };
  }
  const all = partner === undefined ? [...deps.reference.current().partners.keys()] : [partner];
  const needsPartner = all.length > partnersMax;
  const partners = needsPartner ? [] : all;
  const [ours, traced, theirs, accounts, notifications] = await Promise.all([
    // Ours have no small letters.
    findOurs(deps, number.toUpperCase()),
    findTraced(deps, number),
    findTheirs(deps, partners, number),
    findAccounts(deps, number),
    findNotifications(deps, partner, number),
  ]);
  const requests = [...ours.requests, ...theirs.requests, ...traced].filter(
    ({ request }) => partner === undefined || request.partner === partner,
  );
  const described = await Promise.all(requests.slice(0, matchesMax).map((found) => describe(deps, found)));
  const found = [...accounts, ...described.flat(), ...notifications, ...theirs.rejections, ...ours.accounts];
  // Where there are too many partners, numbers of theirs are asked for only where one is named.
  return { matches: newestOf(found), needsPartner };
}

/** Each thing once, with every reason it was found by; the newest first, accounts before all. */
export function newestOf(found: readonly NumberMatch[]): readonly NumberMatch[] {
  const ownOf = ({ kind, accountNo, correlationId, at }: NumberMatch) => {
    if (kind === "account") return accountNo;
    return kind === "rejection" || kind === "call" ? (correlationId ?? at) : "";
  };
  const keyOf = (match: NumberMatch) => `${match.kind} ${match.referenceNo ?? ""} ${ownOf(match)}`;
  const matches = [...Map.groupBy(found, keyOf).values()].map(([first, ...others]): NumberMatch => {
    const reasons = [first, ...others].flatMap((match) => match?.reasons ?? []);
    return { ...(first as NumberMatch), reasons: [...new Map(reasons.map((reason) => [reason.by, reason])).values()] };
  });
  return matches.toSorted((a, b) => (b.at ?? Infinity) - (a.at ?? Infinity)).slice(0, matchesMax);
}

const foundBy = (match: NamedMatch, by: MatchedBy): NumberMatch => ({ ...match, matchedBy: by, reasons: [{ by }] });

async function describe(deps: QueryDeps, { request, matchedBy }: FoundRequest): Promise<readonly NumberMatch[]> {
  const match = await describeRequest(deps, request);
  if (!match) return [];
  const isItem = match.kind === "bulkItem";
  if (isItem && matchedBy === "bulkId") return [foundBy(match, "referenceNo")];
  if (isItem && matchedBy === "partnerBulkId") return [foundBy(match, "partnerReferenceNo")];
  return [foundBy(match, matchedBy)];
}

const ourNumber = (service: number) => (operationByCode(service)?.about.number ?? "referenceNo") as Writes["number"];
const partnerNumber = (service: number) =>
  (operationByCode(service)?.about.partnerNumber ?? "partnerReferenceNo") as Writes["partnerNumber"];

interface Ours {
  readonly requests: readonly FoundRequest[];
  readonly accounts: readonly NumberMatch[];
}

/** One of ours: of a request, or of a journal of its transfer or of several, of an approval, or of none of these. */
async function findOurs(deps: QueryDeps, number: string): Promise<Ours> {
  const id = fromReferenceNo(number);
  if (id === undefined) return { requests: [], accounts: [] };
  const { pool } = deps;
  const [request] = await listAcceptedRequests(pool, [id]);
  if (request) return { requests: [{ request, matchedBy: ourNumber(request.service) }], accounts: [] };
  const [transfers, paymentRequest] = await Promise.all([
    findTransfersOfJournal(pool, id, matchesMax),
    findPaymentRequestOf(pool, id),
  ]);
  const owners = paymentRequest ? [paymentRequest.paymentRequest.id] : transfers;
  if (owners.length > 0) return { requests: await requestsOf(deps, owners, "journal"), accounts: [] };
  const accounts = await Promise.all((await findAccountsOfJournal(pool, id)).map((no) => findAccounts(deps, no)));
  return { requests: [], accounts: accounts.flat().map((match) => foundBy(match, "journal")) };
}

async function findTraced(deps: QueryDeps, number: string): Promise<readonly FoundRequest[]> {
  return requestsOf(deps, await findByTraceNo(deps.pool, number, matchesMax), "traceNo");
}

async function requestsOf({ pool }: QueryDeps, ids: readonly string[], matchedBy: MatchedBy) {
  return (await listAcceptedRequests(pool, ids)).map((request): FoundRequest => ({ request, matchedBy }));
}

/** Numbers that partners gave. */
async function findTheirs(deps: QueryDeps, partners: readonly string[], number: string) {
  const { pool } = deps;
  const keys = keysOfNumber(partners, number);
  const isWanted = new Set(partners);
  const holds = (await listNewestHoldNumbers(pool, holdsMax)).filter(({ partner }) => isWanted.has(partner));
  const [begun, changes, rejections] = await Promise.all([
    findRequests(deps, keys),
    findRequests(deps, keysWithinHolds(holds, number)),
    findRejections(deps, keys),
  ]);
  return { requests: [...begun, ...changes], rejections };
}

async function findRequests({ pool }: QueryDeps, keys: RequestKeys): Promise<readonly FoundRequest[]> {
  const found = await findAcceptedByKeys(pool, keys, matchesMax);
  return found.map(({ request, isExternalId }) => ({
    request,
    matchedBy: isExternalId ? "externalId" : partnerNumber(request.service),
  }));
}

async function findRejections(deps: QueryDeps, keys: RequestKeys): Promise<readonly NumberMatch[]> {
  const found = await findRejectedByKeys(deps.pool, keys, matchesMax);
  const numbers = [...new Set(found.map(({ number }) => number))];
  const kept = new Map(
    await Promise.all(
      numbers.map(
        async (number) => [number, await listCallsOfNumber(deps.keptCalls ?? deps.pool, number, matchesMax)] as const,
      ),
    ),
  );
  return found.map(({ request: { service, at, ...rejection }, partner, number, isExternalId }) => {
    const response = rejectionOf(rejection, String(service));
    // The last of its copies: they are one match, as by words.
    const call = kept.get(number)?.findLast(({ responseCode }) => responseCode === response.responseCode);
    return foundBy(
      {
        kind: "rejection",
        partnerId: partnerIdOf(deps, partner),
        serviceCode: String(service),
        at: call?.at ?? at,
        correlationId: call?.correlationId,
        ...response,
      },
      isExternalId ? "externalId" : partnerNumber(service),
    );
  });
}

export async function findAccounts(
  { pool }: Pick<QueryDeps, "pool">,
  number: string,
  by: "accountNo" | "holderName" = "accountNo",
): Promise<readonly NumberMatch[]> {
  const account = await findAccountByNumber(pool, number);
  if (!account) return [];
  const { id, accountNo, name, status, balance, currency } = account;
  const accountId = toReferenceNo(id);
  return [foundBy({ kind: "account", accountNo, accountId, name, state: status, amount: balance, currency }, by)];
}

/** `X-EXTERNAL-ID` of a notification of ours. */
async function findNotifications(
  deps: NumberDeps,
  partner: string | undefined,
  number: string,
): Promise<readonly NumberMatch[]> {
  const now = deps.clock.real();
  const ids = idsOfExternalId(number, now - notificationAgeMs, now + 60_000);
  const requests = (await listAcceptedRequests(deps.pool, await findNotified(deps.pool, ids))).filter(
    (request) => partner === undefined || request.partner === partner,
  );
  const matches = await Promise.all(requests.map((request) => describeRequest(deps, request)));
  return matches
    .filter((match) => match !== undefined)
    .map((match) => foundBy({ ...match, kind: "notification" }, "notificationExternalId"));
}
