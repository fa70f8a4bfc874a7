/**
 * Candidates for a number, by indexes alone: accepted and rejected requests, transfers, notifications, journals.
 * Numbers of partners are kept as hashes of partner and number: there is a key of each partner and kind.
 */
import { operationRows, writesOf } from "@titian/contract";
import type { Pool } from "pg";
import { toReferenceNo } from "../../basics/ids.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import type { Hold } from "../../ledger/holds/hold.ts";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { firstOfBoth } from "../../store/tables/closed-holds.ts";
import { readRequestKeys } from "../../store/tables/requests/request-keys.ts";
import { readRejectedRequest, rejectedRequestColumns } from "../../store/tables/requests/rejected-requests.ts";

export interface RequestKeys {
  readonly externalIdKeys: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

const writes = operationRows.filter(({ kind }) => kind === "write");
/** Writes whose requests have a number of their partner's own, of whatever they begin. */
const beginnings = writes.filter(({ about }) => about.within === undefined);
/** Writes whose numbers count within a hold. */
const changes = writes.filter(({ about }) => about.within !== undefined);
const bulks = writesOf("bulk");

/**
 * Keys of a number that the partners give a request: an external id, a reference number, that of a bulk or of its
 * items.
 */
export function keysOfNumber(partners: readonly string[], number: string): RequestKeys {
  return {
    externalIdKeys: partners.map((partner) => externalIdKey(partner, number)),
    partnerReferenceKeys: partners.flatMap((partner) => [
      ...beginnings.map(({ code }) => partnerReferenceKey(partner, code, number)),
      ...bulks.map(({ code }) => partnerReferenceKey(partner, code, "bulk", number)),
    ]),
  };
}

/** Keys of a number that their partners give a capture, void or refund: it counts within the hold. */
export function keysWithinHolds(holds: readonly HoldNumbers[], number: string): RequestKeys {
  return {
    externalIdKeys: [],
    partnerReferenceKeys: holds.flatMap(({ id, partner, partnerReferenceNo }) =>
      changes.map(({ code, about: { within } }) => {
        const hold = within === "originalReferenceNo" ? toReferenceNo(id) : partnerReferenceNo;
        return partnerReferenceKey(partner, code, hold, number);
      }),
    ),
  };
}

/** The newest accepted requests that have one of these keys. */
export async function findAcceptedByKeys(
  pool: Pool,
  { externalIdKeys, partnerReferenceKeys }: RequestKeys,
  limit: number,
) {
  const found = await readRequestKeys(pool, [...externalIdKeys, ...partnerReferenceKeys]);
  const byExternalId = new Map([...found].map(([position, id]) => [id, position < externalIdKeys.length]));
  const newest = [...byExternalId.keys()].toSorted().slice(-limit);
  const requests = await listAcceptedRequests(pool, newest);
  return requests.toReversed().map((request) => ({ request, isExternalId: byExternalId.get(request.id) === true }));
}

/** The newest rejected requests that have one of these keys; of copies there are any number. */
export async function findRejectedByKeys(
  pool: Pool,
  { externalIdKeys, partnerReferenceKeys }: RequestKeys,
  limit: number,
) {
  const rows = await queryRows(pool, {
    name: "find-rejected-by-keys",
    text: `select external_id_key = any($1::uuid[]), partner, partner_reference_key, ${rejectedRequestColumns.sql} from rejected_requests
      where (external_id_key = any($1::uuid[]) or partner_reference_key = any($2::uuid[])) and of_another_send is null
      order by rejected_at desc limit $3::int`,
    values: [externalIdKeys, partnerReferenceKeys, limit],
  });
  return rows.map(([isExternalId, partner, number, ...row]) => ({
    request: readRejectedRequest(row),
    /** Its internal id. */
    partner: partner as string,
    /** Key of its partner's number. */
    number: number as string,
    isExternalId: isExternalId === "t",
  }));
}

/** Ids of the newest transfers that the rail gave this number. */
export async function findByTraceNo(pool: Pool, traceNo: string, limit: number): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "find-by-trace-no",
    text: "select id from transfers where trace_no = $1 order by id desc limit $2::int",
    values: [traceNo, limit],
  });
  return rows.map(([id]) => id as string);
}

/** Ids of the transfers and bulks that the notifications of these ids are about. */
export async function findNotified(pool: Pool, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows(pool, {
    name: "find-notifications-by-id",
    text: "select aggregate_id from outbox where id = any($1::uuid[])",
    values: [ids],
  });
  return rows.map(([subject]) => subject as string);
}

type HoldNumbers = Pick<Hold, "id" | "partner" | "partnerReferenceNo">;

/** Lists the numbers of the newest holds, of every partner. */
export async function listNewestHoldNumbers(pool: Pool, limit: number): Promise<readonly HoldNumbers[]> {
  const rows = await queryRows(pool, {
    name: "list-newest-hold-numbers",
    text: `select id, partner, partner_reference_no from (${firstOfBoth("true", "$1::int", "id desc")}) holds order by id desc`,
    values: [limit],
  });
  return rows.map(([id, partner, number]) => ({
    id: id as string,
    partner: partner as string,
    partnerReferenceNo: number as string,
  }));
}

/** Numbers of the accounts that a journal moved money on. */
export async function findAccountsOfJournal(pool: Pool, journal: string): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "find-accounts-of-journal",
    text: `select distinct account_no from entries join accounts on accounts.id = account_id
      where journal_id = $1::uuid order by account_no limit 20`,
    values: [journal],
  });
  return rows.map(([accountNo]) => accountNo as string);
}
