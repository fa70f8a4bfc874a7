/** Accepted requests: what repeats are compared with, and the payload from which responses are rebuilt (spec D7). */
import { isFence, timeOf } from "../../../basics/ids.ts";
import { hasId, idValues } from "../../statements/id-range.ts";
import { type Columns, insertRows, int, text, uuid } from "../../statements/row-statements.ts";
import { selectList } from "../../statements/select-list.ts";
import type { Session, Statement, TextRow } from "../../postgres/session.ts";
import type { FoundKeys, RequestKey } from "./request-keys.ts";

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
  readonly payload: string;
  /** Free-form parts as received; see `packFreeForm`. */
  readonly freeForm: string | undefined;
  /** Business time of the decision (epoch ms). */
  readonly at: number;
  /** Until when it is pending (business time, epoch ms; Infinity: until its result): its external id stays taken. */
  readonly openUntil?: number;
  /** Its key is there and its row is not: that is in a detached partition, or the key is fenced. */
  readonly isDetached?: true;
}

export interface NewAcceptedRequest extends AcceptedRequest {
  readonly externalIdKey: string;
  /** A later request has used its external id since. */
  readonly isExternalIdTaken?: true;
}

export const acceptedRequestColumns = selectList(
  [
    "id, partner, service, external_id, partner_reference_key, body_hash, request_fingerprint, payload",
    "additional_info",
  ],
  ["accepted_at"],
);

// Only repeats ask whether the transfer is open, and what ends meanwhile was open when it was asked.
const openUntil = `case when exists (select 1 from transfers t where t.id = r.id and t.is_open)
      or exists (select 1 from bulks b where b.id = r.id and b.is_open) then 'infinity'::float8
    else (select date_part('epoch', expires_at) * 1000 from payment_requests p where p.id = r.id and p.state = 'waiting') end`;

const findStatement: Statement = {
  name: "find-accepted-requests",
  text: `select ${openUntil}, ${acceptedRequestColumns.of("r")} from accepted_requests r where ${hasId("id")}`,
};

export interface FoundAcceptedRequests {
  /** By position in the list of keys. */
  readonly byExternalIdKey: ReadonlyMap<number, AcceptedRequest>;
  readonly byPartnerReferenceKey: ReadonlyMap<number, AcceptedRequest>;
}

const nothingKnown: Omit<AcceptedRequest, "id" | "at"> = {
  partner: "",
  service: 0,
  externalId: "",
  partnerReferenceKey: "",
  bodyHash: "",
  requestFingerprint: "",
  payload: "{}",
  freeForm: undefined,
  isDetached: true,
};

/** The requests of the keys that were found: they are committed, and never change. */
export async function findAcceptedRequests(
  session: Session,
  externalIds: FoundKeys,
  numbers: FoundKeys,
): Promise<FoundAcceptedRequests> {
  const ids = [...new Set([...externalIds.values(), ...numbers.values()])];
  const rows = await session.run(findStatement, idValues(ids));
  const byId = new Map(
    rows.map(([open, ...row]) => [row[acceptedRequestColumns.at.id], { open, row: readAcceptedRequest(row) }]),
  );
  // An external id that is fenced stays taken for its window, too.
  const unknown = (id: string) => ({ ...nothingKnown, id, at: isFence(id) ? timeOf(id) : 0 });
  const found = (id: string) => byId.get(id) ?? { open: undefined, row: unknown(id) };
  const withEnd = (id: string): AcceptedRequest => {
    const { open, row } = found(id);
    return open == null ? row : { ...row, openUntil: Number(open) };
  };
  return {
    byExternalIdKey: new Map([...externalIds].map(([position, id]) => [position, withEnd(id)])),
    byPartnerReferenceKey: new Map([...numbers].map(([position, id]) => [position, found(id).row])),
  };
}

export const newRequestColumns: Columns<NewAcceptedRequest> = {
  id: uuid((row) => row.id),
  partner: uuid((row) => row.partner),
  service: int((row) => row.service),
  external_id_key: uuid((row) => row.externalIdKey),
  partner_reference_key: uuid((row) => row.partnerReferenceKey),
  body_hash: uuid((row) => row.bodyHash),
  request_fingerprint: uuid((row) => row.requestFingerprint),
  external_id: text((row) => row.externalId),
  payload: text((row) => row.payload),
  additional_info: text((row) => row.freeForm),
};

export const insertAcceptedRequests = insertRows<NewAcceptedRequest>("accepted_requests", newRequestColumns, {
  accepted_at: "$1::timestamptz",
});

/** The keys of accepted requests; see `insertRequestKeys`. */
export function keysOfRequests(rows: readonly NewAcceptedRequest[]): readonly RequestKey[] {
  return rows.flatMap(({ id, externalIdKey, partnerReferenceKey, isExternalIdTaken }) => {
    const keys = isExternalIdTaken ? [partnerReferenceKey] : [externalIdKey, partnerReferenceKey];
    return keys.map((key) => ({ key, requestId: id }));
  });
}

/** A row of `acceptedRequestColumns`. */
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
    payload: row[at.payload] as string,
    freeForm: row[at.additional_info] ?? undefined,
    at: Number(row[at.accepted_at]),
  };
}
