/**
 * Recorded rejections of step 14: a copy of a rejected call gets its rejection again, and so does a call that was sent no later
 * under the same external id (spec D7).
 */
import type { Pool } from "pg";
import type { RejectionKind } from "../../ledger/rejection.ts";
import { bigintArray, intArray, uuidArray } from "../postgres/binary-arrays.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { readTextList, textList } from "../postgres/sql-arrays.ts";

export interface RejectionRow {
  /** The rejected command's id. */
  readonly id: string;
  readonly service: number;
  readonly kind: RejectionKind;
  readonly field: string | undefined;
  /** JSON text. */
  readonly facts: string;
  /** Business time of the decision (epoch ms). */
  readonly at: number;
  /** `X-TIMESTAMP` of the rejected call (epoch ms). */
  readonly sentAt: number;
}

export interface NewRejection extends RejectionRow {
  readonly partner: string;
  readonly externalIdKey: string;
  readonly partnerReferenceKey: string;
  readonly signatureKey: string;
}

export const rejectionColumns = `id, service, kind, field, payload, (extract(epoch from rejected_at) * 1000)::bigint,
  (extract(epoch from sent_at) * 1000)::bigint`;

const findRejectionsStatement: Statement = {
  name: "find-rejected-requests",
  // Of an external id there may be any number: the one that was sent last rejects the most.
  text: `select 0, wanted.position, found.* from unnest($1::uuid[]) with ordinality wanted (key, position)
      cross join lateral (select ${rejectionColumns} from rejected_requests where signature_key = wanted.key limit 1) found
    union all
    select 1, wanted.position, found.* from unnest($2::uuid[]) with ordinality wanted (key, position)
      cross join lateral (select ${rejectionColumns} from rejected_requests where external_id_key = wanted.key
        order by sent_at desc limit 1) found`,
};

export interface FoundRejections {
  /** Position in the list of wanted keys -> row. */
  readonly bySignature: ReadonlyMap<number, RejectionRow>;
  /** Of the rejections of an external id the one that was sent last. */
  readonly lastSent: ReadonlyMap<number, RejectionRow>;
}

export async function findRejections(
  session: Session,
  signatureKeys: readonly string[],
  externalKeys: readonly string[],
): Promise<FoundRejections> {
  const rows = await session.run(findRejectionsStatement, [uuidArray(signatureKeys), uuidArray(externalKeys)]);
  const bySignature = new Map<number, RejectionRow>();
  const lastSent = new Map<number, RejectionRow>();
  for (const row of rows) {
    (row[0] === "0" ? bySignature : lastSent).set(Number(row[1]) - 1, readRejection(row.slice(2)));
  }
  return { bySignature, lastSent };
}

const insertRejectionsStatement: Statement = {
  name: "insert-rejected-requests",
  text: `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind,
      field, payload, rejected_at, sent_at)
    select r.id, r.partner, r.service, r.external_id_key, r.partner_reference_key, r.signature_key, r.kind, r.field,
      r.payload, $10::timestamptz, to_timestamp(r.sent_at / 1000.0)
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::uuid[],
      ${readTextList(7)}, ${readTextList(8)}, ${readTextList(9)}, $11::bigint[])
      r (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, field, payload, sent_at)`,
};

export function insertRejections(session: Session, rows: readonly NewRejection[], at: string): Promise<unknown> {
  return session.run(insertRejectionsStatement, [
    uuidArray(rows.map((row) => row.id)),
    uuidArray(rows.map((row) => row.partner)),
    intArray(rows.map((row) => row.service)),
    uuidArray(rows.map((row) => row.externalIdKey)),
    uuidArray(rows.map((row) => row.partnerReferenceKey)),
    uuidArray(rows.map((row) => row.signatureKey)),
    textList(rows.map((row) => row.kind)),
    textList(rows.map((row) => row.field)),
    textList(rows.map((row) => row.facts)),
    at,
    bigintArray(rows.map((row) => BigInt(row.sentAt))),
  ]);
}

/** Deletes up to `most` rejections decided before the given business time (epoch ms); returns how many went. */
export async function deleteRejections(pool: Pool, before: number, most: number): Promise<number> {
  const result = await pool.query({
    name: "delete-rejected-requests",
    text: `delete from rejected_requests where id = any(array(
      select id from rejected_requests where rejected_at < $1::timestamptz order by rejected_at limit $2::int))`,
    values: [new Date(before).toISOString(), most],
  });
  return result.rowCount ?? 0;
}

/** A row of `rejectionColumns`. */
export function readRejection(row: TextRow): RejectionRow {
  const [id, service, kind, field, facts, at, sentAt] = row;
  return {
    id: id as string,
    service: Number(service),
    kind: kind as RejectionKind,
    field: field ?? undefined,
    facts: facts as string,
    at: Number(at),
    sentAt: Number(sentAt),
  };
}
