/** What a number may name, by indexes alone: accepted and rejected requests, transfers, notifications, journals. */
import type { Pool } from "pg";
import { queryRows } from "../../store/postgres/query-rows.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { newestOfBoth } from "../../store/tables/closed-holds.ts";
import { readRequestKeys } from "../../store/tables/requests/request-keys.ts";
import {
  readRejectedRequest,
  type RejectedRequest,
  rejectedRequestColumns,
} from "../../store/tables/requests/rejected-requests.ts";

export interface RequestKeys {
  readonly externalIdKeys: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

export interface RequestOfKey {
  readonly request: AcceptedRequest;
  readonly isExternalId: boolean;
}

/** The newest accepted requests that have one of these keys. */
export async function findAcceptedByKeys(
  pool: Pool,
  { externalIdKeys, partnerReferenceKeys }: RequestKeys,
  limit: number,
): Promise<readonly RequestOfKey[]> {
  const found = await readRequestKeys(pool, [...externalIdKeys, ...partnerReferenceKeys]);
  const byExternalId = new Map([...found].map(([position, id]) => [id, position < externalIdKeys.length]));
  const newest = [...byExternalId.keys()].toSorted().slice(-limit);
  const requests = await listAcceptedRequests(pool, newest);
  return requests.toReversed().map((request) => ({ request, isExternalId: byExternalId.get(request.id) === true }));
}

export interface RejectionOfKey {
  readonly request: RejectedRequest;
  /** Internal id of its partner. */
  readonly partner: string;
  readonly isExternalId: boolean;
}

/** The newest rejected requests that have one of these keys; of copies there are any number. */
export async function findRejectedByKeys(
  pool: Pool,
  { externalIdKeys, partnerReferenceKeys }: RequestKeys,
  limit: number,
): Promise<readonly RejectionOfKey[]> {
  const rows = await queryRows(pool, {
    name: "find-rejected-by-keys",
    text: `select external_id_key = any($1::uuid[]), partner, ${rejectedRequestColumns.sql} from rejected_requests
      where external_id_key = any($1::uuid[]) or partner_reference_key = any($2::uuid[])
      order by rejected_at desc limit $3::int`,
    values: [externalIdKeys, partnerReferenceKeys, limit],
  });
  return rows.map(([isExternalId, partner, ...row]) => ({
    request: readRejectedRequest(row),
    partner: partner as string,
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

export interface NotificationOf {
  readonly id: string;
  /** Id of the transfer or bulk. */
  readonly resource: string;
}

export async function findNotificationsById(pool: Pool, ids: readonly string[]): Promise<readonly NotificationOf[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows(pool, {
    name: "find-notifications-by-id",
    text: "select id, aggregate_id from outbox where id = any($1::uuid[])",
    values: [ids],
  });
  return rows.map(([id, resource]) => ({ id: id as string, resource: resource as string }));
}

export interface HoldNumbers {
  readonly id: string;
  /** Internal id. */
  readonly partner: string;
  readonly partnerReferenceNo: string;
}

/** Of the newest holds, of every partner. */
export async function listNewestHoldNumbers(pool: Pool, limit: number): Promise<readonly HoldNumbers[]> {
  const rows = await queryRows(pool, {
    name: "list-newest-hold-numbers",
    text: `select id, partner, partner_reference_no from (${newestOfBoth("true", "$1::int")}) holds order by id desc`,
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
