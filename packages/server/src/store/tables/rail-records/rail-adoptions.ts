/**
 * Instructions that a rail was handed and the database had forgotten, as they are written back: with what the rail reported of
 * them meanwhile, and with the decision on their lines.
 */
import type { RailName } from "../../../ledger/rails/terms.ts";
import type { Session, Statement } from "../../postgres/session.ts";
import { plainArray, readTextList, textList } from "../../postgres/sql-arrays.ts";
import { code, text, time, updateRows } from "../../statements/row-statements.ts";

export interface AdoptedInstruction {
  readonly rail: RailName;
  readonly referenceNo: string;
  readonly idempotencyKey: string | undefined;
  /** JSON text. */
  readonly terms: string;
  /** Epoch ms. */
  readonly validUntil: number;
  readonly sequence: number;
  /** Fencing number of who wrote the line. */
  readonly fence: number | undefined;
  /** The operator's. */
  readonly reason: string;
  /** Time of the decision (real time, epoch ms). */
  readonly decidedAt: number;
}

const given = `unnest(${readTextList(1)}, ${readTextList(2)}, ${readTextList(3)}) given (rail, number, key)`;

// An instruction that only waits under one of their keys is the same: it gets the result of the line.
const withdrawWaiting: Statement = {
  name: "withdraw-adopted-keys",
  text: `delete from rail_instructions i using ${given}
    where i.rail = given.rail and i.idempotency_key = given.key and i.reference_no <> given.number
      and i.sequence is null and i.written_at is null`,
};

const reported = (column: string) => `(select ${column} from set_aside_results s
  where s.rail = r.rail and s.reference_no = r.reference_no and s.state <> 'pending'
  order by array_position(array['returned', 'settled', 'rejected'], s.state) limit 1)`;

const writeInstructions: Statement = {
  name: "write-adopted-instructions",
  text: `insert into rail_instructions (rail, reference_no, idempotency_key, terms, valid_until, sequence, fence, written_at, state,
        trace_no)
      select r.rail, r.reference_no, r.key, r.terms, r.valid_until, r.sequence, r.fence, least(r.valid_until, $8::timestamptz),
        ${reported("s.state")}, ${reported("s.trace_no")}
      from unnest(${readTextList(1)}, ${readTextList(2)}, ${readTextList(3)}, ${readTextList(4)}, $5::timestamptz[],
        $6::bigint[], $7::bigint[]) r (rail, reference_no, key, terms, valid_until, sequence, fence)
      on conflict (rail, reference_no) do update set written_at = excluded.written_at, fence = excluded.fence,
        sequence = coalesce(rail_instructions.sequence, excluded.sequence),
        state = coalesce(rail_instructions.state, excluded.state),
        trace_no = coalesce(rail_instructions.trace_no, excluded.trace_no)
      where rail_instructions.written_at is null`,
};

// A result that contradicts the state that they got stays with the operator.
const closeSetAside: Statement = {
  name: "close-adopted-set-aside-results",
  text: `update set_aside_results s set closed_at = $4::timestamptz from ${given}
      join rail_instructions i on i.rail = given.rail and i.reference_no = given.number
    where s.rail = given.rail and s.reference_no = given.number and s.reason = 'unknown' and s.closed_at is null
      and (s.state = 'pending' or (s.state = 'rejected') = (i.state = 'rejected'))`,
};

/** Fails with 22012 unless each of them is open. */
const decide = updateRows<AdoptedInstruction>({
  name: "decide-adopted-differences",
  table: "rail_differences",
  where: { rail: code((row) => row.rail), reference_no: text((row) => row.referenceNo) },
  and: "t.kind = 'ahead' and t.decision is null",
  set: {
    decision: code(() => "adopted"),
    reason: text((row) => row.reason),
    decided_at: time((row) => row.decidedAt),
  },
});

/** Sends the statements of one transaction that adopt instructions: each line is decided on once. */
export function writeAdopted(
  session: Session,
  rows: readonly AdoptedInstruction[],
  at: string,
): readonly Promise<unknown>[] {
  const listOf = (valueOf: (row: AdoptedInstruction) => string | undefined) => textList(rows.map(valueOf));
  const named = [listOf((row) => row.rail), listOf((row) => row.referenceNo), listOf((row) => row.idempotencyKey)];
  return [
    session.run(withdrawWaiting, named),
    session.run(writeInstructions, [
      ...named,
      listOf((row) => row.terms),
      plainArray(rows.map((row) => new Date(row.validUntil).toISOString())),
      plainArray(rows.map((row) => row.sequence)),
      plainArray(rows.map((row) => row.fence)),
      at,
    ]),
    session.run(closeSetAside, [...named, at]),
    decide(session, rows),
  ];
}
