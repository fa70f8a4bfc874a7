/** What partners are to be told (spec D14): added in the commit that makes it true, never changed. */
import { intArray, uuidArray } from "../postgres/binary-arrays.ts";
import type { Session, Statement } from "../postgres/session.ts";
import { plainArray } from "../postgres/sql-arrays.ts";

export interface OutboxEvent {
  readonly id: string;
  readonly partner: string;
  /** Service code of the notification: 75 or 76. */
  readonly service: number;
  /** Id of the transfer it is about. */
  readonly resource: string;
  /** `latestTransactionStatus` to be told. */
  readonly status: string;
}

const insertOutboxStatement: Statement = {
  name: "insert-outbox",
  text: `insert into outbox (id, partner, service, aggregate_id, status, created_at)
    select o.id, o.partner, o.service, o.aggregate_id, o.status, $6::timestamptz
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[]) o (id, partner, service, aggregate_id, status)`,
};

export function insertOutbox(session: Session, events: readonly OutboxEvent[], at: string): Promise<unknown> {
  return session.run(insertOutboxStatement, [
    uuidArray(events.map((event) => event.id)),
    uuidArray(events.map((event) => event.partner)),
    intArray(events.map((event) => event.service)),
    uuidArray(events.map((event) => event.resource)),
    plainArray(events.map((event) => event.status)),
    at,
  ]);
}
