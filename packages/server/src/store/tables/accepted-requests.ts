/** Accepted requests: the keys that detect repeats, and the payload from which responses are rebuilt (spec D7). */
import { uuidArray } from "../statements/binary-arrays.ts";
import { insertRows, int, text, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";

export interface AcceptedRequest {
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
  /** Until when it is pending (business time, epoch ms; Infinity: until its result): its external id stays taken. */
  readonly openUntil?: number;
}

export interface NewAcceptedRequest extends AcceptedRequest {
  readonly externalIdKey: string;
}

export const acceptedRequestColumns = selectList(
  [
    "id, partner, service, external_id, partner_reference_key, body_hash, request_fingerprint, payload",
    "additional_info",
  ],
  ["accepted_at"],
);

// Looked up only after every lock of the batch is held: a statement's snapshot is its own (read committed). Whether what
// it began is open is asked of repeats alone, and what ends meanwhile was open when it was asked.
const openUntil = `case when exists (select 1 from transfers t where t.id = found.id and t.is_open)
      or exists (select 1 from bulks b where b.id = found.id and b.is_open) then 'infinity'::float8
    else (select date_part('epoch', expires_at) * 1000 from payment_requests p where p.id = found.id and p.state = 'waiting') end`;

const findStatement: Statement = {
  name: "find-accepted-requests",
  text: `select 0, requested.position, ${openUntil}, found.*
      from unnest($1::uuid[]) with ordinality requested (key, position)
      cross join lateral (select ${acceptedRequestColumns.sql} from accepted_requests where external_id_key = requested.key limit 1) found
    union all
    select 1, requested.position, null::float8, found.* from unnest($2::uuid[]) with ordinality requested (key, position)
      cross join lateral (select ${acceptedRequestColumns.sql} from accepted_requests where partner_reference_key = requested.key limit 1) found`,
};

export interface FoundAcceptedRequests {
  /** By position in the list of keys. */
  readonly byExternalIdKey: ReadonlyMap<number, AcceptedRequest>;
  readonly byPartnerReferenceKey: ReadonlyMap<number, AcceptedRequest>;
}

export async function findAcceptedRequests(
  session: Session,
  externalKeys: readonly string[],
  partnerReferenceKeys: readonly string[],
): Promise<FoundAcceptedRequests> {
  const rows = await session.run(findStatement, [uuidArray(externalKeys), uuidArray(partnerReferenceKeys)]);
  const byExternalIdKey = new Map<number, AcceptedRequest>();
  const byPartnerReferenceKey = new Map<number, AcceptedRequest>();
  for (const row of rows) {
    const target = row[0] === "0" ? byExternalIdKey : byPartnerReferenceKey;
    const found = readAcceptedRequest(row.slice(3));
    target.set(Number(row[1]) - 1, row[2] == null ? found : { ...found, openUntil: Number(row[2]) });
  }
  return { byExternalIdKey, byPartnerReferenceKey };
}

const releaseExternalIdsStatement: Statement = {
  name: "free-external-keys",
  text: "update accepted_requests set external_id_key = null where id = any($1::uuid[])",
};

/** Frees the external ids of old writes whose window has passed, so that this batch may take them again. */
export function releaseExternalIds(session: Session, ids: readonly string[]): Promise<unknown> {
  return session.run(releaseExternalIdsStatement, [uuidArray(ids)]);
}

const insertInOrder = insertRows<NewAcceptedRequest>(
  "accepted_requests",
  {
    id: uuid((row) => row.id),
    partner: uuid((row) => row.partner),
    service: int((row) => row.service),
    external_id_key: uuid((row) => row.externalIdKey),
    partner_reference_key: uuid((row) => row.partnerReferenceKey),
    body_hash: uuid((row) => row.bodyHash),
    request_fingerprint: uuid((row) => row.requestFingerprint),
    external_id: text((row) => row.externalId),
    payload: text((row) => row.facts),
    additional_info: text((row) => row.freeForm),
  },
  { accepted_at: "$1::timestamptz" },
);

/** Inserts in the order of external id keys, so that two nodes insert the same keys in one order. */
export const insertAcceptedRequests: typeof insertInOrder = (session, rows, at) =>
  insertInOrder(
    session,
    rows.toSorted((a, b) => (a.externalIdKey < b.externalIdKey ? -1 : 1)),
    at,
  );

/** A row of `writeColumns`. */
export function readAcceptedRequest(row: TextRow): AcceptedRequest {
  const { at } = acceptedRequestColumns;
  return {
    id: row[at.id] as string,
    partner: row[at.partner] as string,
    service: Number(row[at.service]),
    externalId: row[at.external_id] as string,
    partnerReferenceKey: row[at.partner_reference_key] as string,
    bodyHash: row[at.body_hash] as string,
    requestFingerprint: row[at.request_fingerprint] as string,
    facts: row[at.payload] as string,
    freeForm: row[at.additional_info] ?? undefined,
    at: Number(row[at.accepted_at]),
  };
}
