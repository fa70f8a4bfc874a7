/**
 * Recorded rejections of step 14: a copy of a rejected call gets its rejection again, and so does a call that was sent no later
 * under the same external id, or with the same number and content (spec D7).
 */
import type { RejectionKind } from "../../../ledger/rejection.ts";
import { timeArray, uuidArray } from "../../statements/binary-arrays.ts";
import { idAt, timeOf } from "../../../basics/ids.ts";
import { insertRows, int, plain, text, time, uuid } from "../../statements/row-statements.ts";
import { selectList } from "../../statements/select-list.ts";
import type { Session, Statement, TextRow } from "../../postgres/session.ts";

export interface RejectedRequest {
  /** The rejected command's id; where it found no rows, one that it shares with its copies. */
  readonly id: string;
  readonly service: number;
  readonly kind: RejectionKind;
  readonly field: string | undefined;
  /** JSON text. */
  readonly payload: string;
  /** Business time of the decision (epoch ms). */
  readonly at: number;
  /** `X-TIMESTAMP` of the rejected call (epoch ms). */
  readonly sentAt: number;
  /** Id of the other send's rejection that the call got, with its service, payload and time: inquiries do not find it. Undefined: its own. */
  readonly ofAnotherSend: string | undefined;
}

/** Keys of a call; the id is its command's. */
export type WantedRejection = Pick<
  NewRejectedRequest,
  "id" | "signatureKey" | "externalIdKey" | "partnerReferenceKey" | "requestFingerprint" | "sentAt"
>;

export interface NewRejectedRequest extends RejectedRequest {
  readonly partner: string;
  readonly externalIdKey: string;
  readonly partnerReferenceKey: string;
  readonly requestFingerprint: string;
  readonly signatureKey: string;
}

export const rejectedRequestColumns = selectList(
  ["id, service, kind, field, payload, of_another_send"],
  ["rejected_at", "sent_at"],
);

/** Partitions of other times are left alone. */
const inTime = "id between $6::uuid and $7::uuid";
const found = (where: string) =>
  `(select ${rejectedRequestColumns.sql} from rejected_requests where ${where} limit 1) found`;
const nextSent = `${inTime} and sent_at >= requested.sent_at order by sent_at`;

const findStatement: Statement = {
  name: "find-rejected-requests",
  // An external id, and a number with its content, may have any number of rejections: of those that were sent no earlier the
  // first one counts.
  text: `select 0, requested.position, found.* from unnest($1::uuid[]) with ordinality requested (key, position)
      cross join lateral ${found(`signature_key = requested.key and ${inTime}`)}
    union all
    select 1, requested.position, found.* from unnest($2::uuid[], $5::timestamptz[]) with ordinality requested (key, sent_at, position)
      cross join lateral ${found(`external_id_key = requested.key and ${nextSent}`)}
    union all
    select 2, requested.position, found.* from unnest($3::uuid[], $4::uuid[], $5::timestamptz[])
      with ordinality requested (key, fingerprint, sent_at, position)
      cross join lateral ${found(`partner_reference_key = requested.key and request_fingerprint = requested.fingerprint and ${nextSent}`)}`,
};

export interface FoundRejectedRequests {
  /** By position in the list of keys. */
  readonly bySignature: ReadonlyMap<number, RejectedRequest>;
  /** First rejection of an external id that was sent no earlier. */
  readonly nextSent: ReadonlyMap<number, RejectedRequest>;
  /** The same of those with its number and content. */
  readonly nextOfIntent: ReadonlyMap<number, RejectedRequest>;
}

const dayMs = 86_400_000;

/**
 * Rejections that matter to calls were recorded within a few hours: their `X-TIMESTAMP` is in the time window, of an hour at
 * most, and that of a copy, or of a later send, was too. Ids have the time at which a call came, or its `X-TIMESTAMP`.
 */
export function rangeOfRejections(keys: readonly WantedRejection[]): readonly [string, string] {
  let [first, last] = [Infinity, -Infinity];
  for (const { id, sentAt } of keys) {
    const recordedAt = timeOf(id);
    first = Math.min(first, recordedAt, sentAt);
    last = Math.max(last, recordedAt, sentAt);
  }
  return [idAt(first - dayMs), idAt(last + dayMs)];
}

/** @param keys of at least one call. */
export async function findRejectedRequests(
  session: Session,
  keys: readonly WantedRejection[],
): Promise<FoundRejectedRequests> {
  const rows = await session.run(findStatement, [
    uuidArray(keys.map((one) => one.signatureKey)),
    uuidArray(keys.map((one) => one.externalIdKey)),
    uuidArray(keys.map((one) => one.partnerReferenceKey)),
    uuidArray(keys.map((one) => one.requestFingerprint)),
    timeArray(keys.map((one) => one.sentAt)),
    ...rangeOfRejections(keys),
  ]);
  const inBranch = (branch: string) =>
    new Map(
      rows.flatMap(([from, position, ...row]) =>
        from === branch ? [[Number(position) - 1, readRejectedRequest(row)] as const] : [],
      ),
    );
  return { bySignature: inBranch("0"), nextSent: inBranch("1"), nextOfIntent: inBranch("2") };
}

const insert = insertRows<NewRejectedRequest>(
  "rejected_requests",
  {
    id: uuid((row) => row.id),
    partner: uuid((row) => row.partner),
    service: int((row) => row.service),
    external_id_key: uuid((row) => row.externalIdKey),
    partner_reference_key: uuid((row) => row.partnerReferenceKey),
    request_fingerprint: uuid((row) => row.requestFingerprint),
    signature_key: uuid((row) => row.signatureKey),
    kind: text((row) => row.kind),
    field: text((row) => row.field),
    payload: text((row) => row.payload),
    sent_at: time((row) => row.sentAt),
    rejected_at: time((row) => row.at),
    of_another_send: plain("uuid")((row) => row.ofAnotherSend),
  },
  {},
  "on conflict (id) do nothing",
);

/**
 * Records rejections, except those whose id is there: copies of a call that found no rows share one id, and the first that
 * is committed counts. They go in by the order of their ids, so that two nodes meet in one order.
 */
export const insertRejectedRequests: typeof insert = (session, rows, at) =>
  insert(
    session,
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    at,
  );

/** A row of `rejectedRequestColumns`. */
export function readRejectedRequest(row: TextRow): RejectedRequest {
  const { at } = rejectedRequestColumns;
  return {
    id: row[at.id] as string,
    service: Number(row[at.service]),
    kind: row[at.kind] as RejectionKind,
    field: row[at.field] ?? undefined,
    payload: row[at.payload] as string,
    at: Number(row[at.rejected_at]),
    sentAt: Number(row[at.sent_at]),
    ofAnotherSend: row[at.of_another_send] ?? undefined,
  };
}
