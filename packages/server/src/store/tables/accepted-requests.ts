/** Accepted writes: the keys that stop a repeat, and the facts its answer is rebuilt from (spec D7). */
import { intArray, uuidArray } from "../postgres/binary-arrays.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { readTextList, textList } from "../postgres/sql-arrays.ts";

export interface WriteRow {
  /** The command's id, and the journal's. */
  readonly id: string;
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly externalId: string;
  readonly partnerReferenceKey: string;
  readonly bodyHash: string;
  readonly requestFingerprint: string;
  /** JSON text. */
  readonly facts: string;
  /** Free-form parts as received; see `packFreeForm`. */
  readonly freeForm: string | undefined;
  /** Business time of the decision (epoch ms). */
  readonly at: number;
  /** That it began a transfer which has not ended yet: its external id stays taken until then. */
  readonly isOpen?: true;
}

export interface NewWrite extends WriteRow {
  readonly externalIdKey: string;
}

export const writeColumns = `id, partner, service, external_id, partner_reference_key, body_hash, request_fingerprint, payload,
  additional_info, (extract(epoch from accepted_at) * 1000)::bigint`;

// Looked up only after every lock of the batch is held: a statement's snapshot is its own (read committed). Whether a
// transfer is open is asked of repeats alone, and one that ends meanwhile was open when it was asked.
const findWritesStatement: Statement = {
  name: "find-accepted-requests",
  text: `select 0, wanted.position, exists (select 1 from transfers t where t.id = found.id and t.is_open), found.*
      from unnest($1::uuid[]) with ordinality wanted (key, position)
      cross join lateral (select ${writeColumns} from accepted_requests where external_id_key = wanted.key limit 1) found
    union all
    select 1, wanted.position, false, found.* from unnest($2::uuid[]) with ordinality wanted (key, position)
      cross join lateral (select ${writeColumns} from accepted_requests where partner_reference_key = wanted.key limit 1) found`,
};

export interface FoundWrites {
  /** Position in the list of wanted keys -> row. */
  readonly byExternalKey: ReadonlyMap<number, WriteRow>;
  readonly byNumberKey: ReadonlyMap<number, WriteRow>;
}

export async function findWrites(
  session: Session,
  externalKeys: readonly string[],
  partnerReferenceKeys: readonly string[],
): Promise<FoundWrites> {
  const rows = await session.run(findWritesStatement, [uuidArray(externalKeys), uuidArray(partnerReferenceKeys)]);
  const byExternalKey = new Map<number, WriteRow>();
  const byNumberKey = new Map<number, WriteRow>();
  for (const row of rows) {
    const target = row[0] === "0" ? byExternalKey : byNumberKey;
    const found = readWrite(row.slice(3));
    target.set(Number(row[1]) - 1, row[2] === "t" ? { ...found, isOpen: true } : found);
  }
  return { byExternalKey, byNumberKey };
}

const freeExternalKeysStatement: Statement = {
  name: "free-external-keys",
  text: "update accepted_requests set external_id_key = null where id = any($1::uuid[])",
};

/** Frees the external ids of old writes whose window has passed, so that this batch may take them again. */
export function freeExternalKeys(session: Session, ids: readonly string[]): Promise<unknown> {
  return session.run(freeExternalKeysStatement, [uuidArray(ids)]);
}

const insertWritesStatement: Statement = {
  name: "insert-accepted-requests",
  text: `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
      request_fingerprint, external_id, payload, additional_info, accepted_at)
    select r.id, r.partner, r.service, r.external_id_key, r.partner_reference_key, r.body_hash, r.request_fingerprint,
      r.external_id, r.payload, r.additional_info, $11::timestamptz
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[],
      ${readTextList(8)}, ${readTextList(9)}, ${readTextList(10)})
      r (id, partner, service, external_id_key, partner_reference_key, body_hash, request_fingerprint, external_id,
        payload, additional_info)`,
};

/** Takes the keys. Rows go in by the order of their external key, so that two nodes meet in one order. */
export function insertWrites(session: Session, writes: readonly NewWrite[], at: string): Promise<unknown> {
  const rows = writes.toSorted((a, b) => (a.externalIdKey < b.externalIdKey ? -1 : 1));
  return session.run(insertWritesStatement, [
    uuidArray(rows.map((row) => row.id)),
    uuidArray(rows.map((row) => row.partner)),
    intArray(rows.map((row) => row.service)),
    uuidArray(rows.map((row) => row.externalIdKey)),
    uuidArray(rows.map((row) => row.partnerReferenceKey)),
    uuidArray(rows.map((row) => row.bodyHash)),
    uuidArray(rows.map((row) => row.requestFingerprint)),
    textList(rows.map((row) => row.externalId)),
    textList(rows.map((row) => row.facts)),
    textList(rows.map((row) => row.freeForm)),
    at,
  ]);
}

/** A row of `writeColumns`. */
export function readWrite(row: TextRow): WriteRow {
  const [id, partner, service, externalId, partnerReferenceKey, bodyHash, requestFingerprint, facts, freeForm, at] =
    row;
  return {
    id: id as string,
    partner: partner as string,
    service: Number(service),
    externalId: externalId as string,
    partnerReferenceKey: partnerReferenceKey as string,
    bodyHash: bodyHash as string,
    requestFingerprint: requestFingerprint as string,
    facts: facts as string,
    freeForm: freeForm ?? undefined,
    at: Number(at),
  };
}
