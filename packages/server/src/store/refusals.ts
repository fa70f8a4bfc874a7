/** Recorded refusals of step 14: a copy of a refused call gets its refusal again (decision D7). */
import type { Pool } from "pg";
import type { RefusalKind } from "../ledger/refusal.ts";
import { intArray, uuidArray } from "./binary-arrays.ts";
import type { Session, Statement, TextRow } from "./session.ts";
import { readTextList, textList } from "./sql-arrays.ts";

const factsLayout = 1;

export interface RefusalRow {
  /** The refused command's id. */
  readonly id: string;
  readonly service: number;
  readonly kind: RefusalKind;
  readonly field: string | undefined;
  /** JSON text. */
  readonly facts: string;
  /** Business time of the decision (epoch ms). */
  readonly at: number;
}

export interface NewRefusal extends RefusalRow {
  readonly partner: string;
  readonly externalKey: string;
  readonly numberKey: string;
  readonly signatureKey: string;
}

export const refusalColumns = "id, service, kind, field, facts, (extract(epoch from at) * 1000)::bigint";

const findRefusalsStatement: Statement = {
  name: "find-refusals",
  text: `select wanted.position, found.* from unnest($1::uuid[]) with ordinality wanted (key, position)
      cross join lateral (select ${refusalColumns} from refusals where signature_key = wanted.key limit 1) found`,
};

/** Refusals of calls with these signatures: position in the list -> row. */
export async function findRefusals(
  session: Session,
  signatureKeys: readonly string[],
): Promise<ReadonlyMap<number, RefusalRow>> {
  const rows = await session.run(findRefusalsStatement, [uuidArray(signatureKeys)]);
  return new Map(rows.map((row) => [Number(row[0]) - 1, readRefusal(row.slice(1))]));
}

const insertRefusalsStatement: Statement = {
  name: "insert-refusals",
  text: `insert into refusals (id, partner, service, external_key, number_key, signature_key, kind, field, facts, layout, at)
    select r.id, r.partner, r.service, r.external_key, r.number_key, r.signature_key, r.kind, r.field, r.facts,
      ${factsLayout}, $10::timestamptz
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::uuid[],
      ${readTextList(7)}, ${readTextList(8)}, ${readTextList(9)})
      r (id, partner, service, external_key, number_key, signature_key, kind, field, facts)`,
};

export function insertRefusals(session: Session, rows: readonly NewRefusal[], at: string): Promise<unknown> {
  return session.run(insertRefusalsStatement, [
    uuidArray(rows.map((row) => row.id)),
    uuidArray(rows.map((row) => row.partner)),
    intArray(rows.map((row) => row.service)),
    uuidArray(rows.map((row) => row.externalKey)),
    uuidArray(rows.map((row) => row.numberKey)),
    uuidArray(rows.map((row) => row.signatureKey)),
    textList(rows.map((row) => row.kind)),
    textList(rows.map((row) => row.field)),
    textList(rows.map((row) => row.facts)),
    at,
  ]);
}

/** Deletes up to `most` refusals decided before the given business time (epoch ms); returns how many went. */
export async function deleteRefusals(pool: Pool, before: number, most: number): Promise<number> {
  const result = await pool.query({
    name: "delete-refusals",
    text: `delete from refusals where id = any(array(
      select id from refusals where at < $1::timestamptz order by at limit $2::int))`,
    values: [new Date(before).toISOString(), most],
  });
  return result.rowCount ?? 0;
}

/** A row of `refusalColumns`. */
export function readRefusal(row: TextRow): RefusalRow {
  const [id, service, kind, field, facts, at] = row;
  return {
    id: id as string,
    service: Number(service),
    kind: kind as RefusalKind,
    field: field ?? undefined,
    facts: facts as string,
    at: Number(at),
  };
}
