/** Accepted and rejected requests for queries (spec D8). */
import type { Pool } from "pg";
import { hasId, idValues } from "../statements/id-range.ts";
import { queryRows } from "../postgres/query-rows.ts";
import {
  readRejectedRequest,
  type RejectedRequest,
  rejectedRequestColumns,
} from "../tables/requests/rejected-requests.ts";
import {
  readAcceptedRequest,
  type AcceptedRequest,
  acceptedRequestColumns,
} from "../tables/requests/accepted-requests.ts";
import { epochMs } from "../statements/select-list.ts";
import { assertAttached } from "./detached.ts";
import { beyond, type ReadPage } from "./scan-list.ts";
import { readKeyHolders, readRequestKeys } from "../tables/requests/request-keys.ts";

/** References of an original; those given must all name the same row. Absent ones are undefined. */
export interface RequestReferences {
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly id: string | undefined;
  readonly externalIdKey: string | undefined;
  readonly partnerReferenceKey: string | undefined;
}

/** The accepted request that matches every given reference. */
export async function findAcceptedRequest(
  pool: Pool,
  references: RequestReferences,
): Promise<AcceptedRequest | undefined> {
  const { externalIdKey, partnerReferenceKey } = references;
  const id = references.id ?? (await findIdOf(pool, [partnerReferenceKey, externalIdKey]));
  if (id === undefined) return undefined;
  const [row] = await queryRows(pool, {
    name: "read-accepted-request",
    text: `select ${acceptedRequestColumns.sql} from accepted_requests
      where id = $1::uuid and ($2::uuid is null or external_id_key = $2::uuid)
        and ($3::uuid is null or partner_reference_key = $3::uuid)
        and partner = $4::uuid and service = $5::smallint`,
    values: [id, externalIdKey, partnerReferenceKey, references.partner, references.service],
  });
  if (!row) await assertAttached(pool, id);
  return row && readAcceptedRequest(row);
}

/** The request of the first of these keys that is given. */
async function findIdOf(pool: Pool, keys: readonly (string | undefined)[]): Promise<string | undefined> {
  const given = keys.filter((key) => key !== undefined).slice(0, 1);
  return (await readRequestKeys(pool, given)).get(0);
}

/** The accepted requests of these ids, in their order; an id without one is left out. */
export async function listAcceptedRequests(pool: Pool, ids: readonly string[]): Promise<readonly AcceptedRequest[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows(pool, {
    name: "list-accepted-requests",
    text: `select ${acceptedRequestColumns.sql} from accepted_requests where ${hasId("id")} order by id`,
    values: idValues(ids),
  });
  return rows.map(readAcceptedRequest);
}

/** The newest rejected request that matches every given reference. A rejected request has no number of ours. */
export async function findRejectedRequest(
  pool: Pool,
  references: RequestReferences,
): Promise<RejectedRequest | undefined> {
  if (references.id !== undefined) return undefined;
  const [row] = await queryRows(pool, {
    name: "read-rejected-request",
    text: `select ${rejectedRequestColumns.sql} from rejected_requests
      where ($1::uuid is null or external_id_key = $1::uuid) and ($2::uuid is null or partner_reference_key = $2::uuid)
        and (external_id_key = $1::uuid or partner_reference_key = $2::uuid)
        and partner = $3::uuid and service = $4::smallint and of_another_send is null
      order by rejected_at desc, id desc limit 1`,
    values: [references.externalIdKey, references.partnerReferenceKey, references.partner, references.service],
  });
  return row && readRejectedRequest(row);
}

/** An accepted request as lists look for it. */
export interface ListedRequest {
  readonly id: string;
  readonly service: number;
  /** Internal id. */
  readonly partner: string;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Requested amount, as decimal text with its currency, and state of its transfer over a rail; only where they are asked for. */
  readonly value: string | undefined;
  readonly currency: string | undefined;
  readonly state: string | undefined;
}

const resultColumns = [
  "payload::json #>> '{request,amount,value}'",
  "payload::json #>> '{request,amount,currency}'",
  "(select state from transfers where transfers.id = found.id)",
]
  .map((column) => `case when service = any($3::smallint[]) then ${column} end`)
  .join(", ");

/** Requests of every partner and service, beyond an id in the order of a list. `withResults`: of these services amount and state too. */
export async function listRequests(
  pool: Pool,
  { start, limit, isOldestFirst, withResults }: ReadPage & { readonly withResults?: readonly number[] | undefined },
): Promise<readonly ListedRequest[]> {
  const { condition, order, suffix } = beyond(isOldestFirst);
  const columns = [`id, service, partner, ${epochMs("accepted_at")}`, ...(withResults ? [resultColumns] : [])];
  const found = `select id, service, partner, accepted_at, payload from accepted_requests where ${condition} order by ${order} limit $2::int`;
  const rows = await queryRows(pool, {
    name: `list-newest-requests${withResults ? "-with-results" : ""}${suffix}`,
    text: `select ${columns.join(", ")} from (${found}) found order by ${order}`,
    values: [start, limit, ...(withResults ? [withResults] : [])],
  });
  return rows.map(([id, service, partner, at, value, currency, state]) => ({
    id: id as string,
    service: Number(service),
    partner: partner as string,
    at: Number(at),
    value: value ?? undefined,
    currency: currency ?? undefined,
    state: state ?? undefined,
  }));
}

export interface UsedNumber {
  /** Position of its key in the list. */
  readonly position: number;
  /** Undefined: it is in a detached partition, or the key is fenced. */
  readonly request: AcceptedRequest | undefined;
}

const keysAtOnce = 1_000;

/** The first of these keys that an accepted request has, or that is fenced. `passesFences`: without those. */
export async function findUsedNumber(
  pool: Pool,
  keys: readonly string[],
  passesFences: boolean,
): Promise<UsedNumber | undefined> {
  const find = passesFences ? readRequestKeys : readKeyHolders;
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const found = await find(pool, keys.slice(from, from + keysAtOnce));
    const [first] = [...found].toSorted(([a], [b]) => a - b);
    if (!first) continue;
    const [position, id] = first;
    const [request] = await listAcceptedRequests(pool, [id]);
    return { position: from + position, request };
  }
  return undefined;
}
