/** Lines of holds: added, never changed or deleted, but for what of a capture was refunded. */
import type { Capture } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { bigintArray, intArray, uuidArray } from "../postgres/binary-arrays.ts";
import { type HoldKeys, holdKeyIds, holdKeyValues } from "./holds.ts";
import type { Session, Statement } from "../postgres/session.ts";
import { plainArray, rowsOf } from "../postgres/sql-arrays.ts";

export interface NewHoldEvent {
  readonly hold: string;
  readonly line: number;
  /** A number of `holdEventKinds`. */
  readonly kind: number;
  readonly command: string;
  readonly amount: bigint;
  /** Of a refund: the capture's line. */
  readonly capture: number | undefined;
}

/** Captures by the id of their hold, in the order of their lines. */
export type FoundCaptures = ReadonlyMap<string, readonly Capture[]>;

// A hold's lock covers its lines, so they are read without one, after it.
const findCapturesStatement: Statement = {
  name: "find-captures",
  text: `select hold_id, sequence, command_id, amount, refunded from hold_events
    where hold_id = any(${holdKeyIds}) and kind = 1 and refunded < amount order by hold_id, sequence`,
};

const findNamedStatement: Statement = {
  name: "find-named-captures",
  text: `select hold_id, sequence, command_id, amount, refunded from hold_events
    where hold_id = any(${holdKeyIds}) and kind = 1 and command_id = any($3::uuid[]) order by hold_id, sequence`,
};

/** Captures of the given holds of which something can be refunded, and of others those named by their command. */
export async function findCaptures(
  session: Session,
  all: HoldKeys,
  byName: HoldKeys,
  commands: readonly string[],
): Promise<FoundCaptures> {
  const [refundable, named] = await Promise.all([
    session.run(findCapturesStatement, holdKeyValues(all)),
    session.run(findNamedStatement, [...holdKeyValues(byName), uuidArray(commands)]),
  ]);
  const rows = [...refundable, ...named];
  const found = new Map<string, Capture[]>();
  for (const [hold, line, id, amount, refunded] of rows as string[][]) {
    const captures = found.get(hold as string) ?? [];
    found.set(hold as string, captures);
    captures.push({
      line: Number(line),
      id: id as string,
      amount: minor(BigInt(amount as string)),
      refunded: minor(BigInt(refunded as string)),
    });
  }
  for (const captures of found.values()) captures.sort((a, b) => a.line - b.line);
  return found;
}

const insertLinesStatement: Statement = {
  name: "insert-hold-events",
  text: `insert into hold_events (hold_id, sequence, kind, command_id, amount, capture_sequence, created_at)
    select e.hold_id, e.sequence, e.kind, e.command_id, e.amount, e.capture_sequence, $7::timestamptz
    from ${rowsOf({
      hold_id: "$1::uuid[]",
      sequence: "$2::int[]",
      kind: "$3::int[]",
      command_id: "$4::uuid[]",
      amount: "$5::bigint[]",
      capture_sequence: "$6::int[]",
    })} e`,
};

export function insertHoldEvents(session: Session, lines: readonly NewHoldEvent[], at: string): Promise<unknown> {
  return session.run(insertLinesStatement, [
    uuidArray(lines.map((line) => line.hold)),
    intArray(lines.map((line) => line.line)),
    intArray(lines.map((line) => line.kind)),
    uuidArray(lines.map((line) => line.command)),
    bigintArray(lines.map((line) => line.amount)),
    plainArray(lines.map((line) => line.capture)),
    at,
  ]);
}

export interface RefundedCapture {
  readonly hold: string;
  readonly capture: Capture;
}

const updateCapturesStatement: Statement = {
  name: "update-captures",
  text: `with updated as (
    update hold_events e set refunded = c.refunded
    from ${rowsOf({ hold_id: "$1::uuid[]", sequence: "$2::int[]", refunded: "$3::bigint[]" })} c
    where e.hold_id = c.hold_id and e.sequence = c.sequence and e.kind = 1 and e.refunded < c.refunded returning 1)
  select 1 / (case when (select count(*) from updated) = $4::bigint then 1 else 0 end)`,
};

/** Writes what of captures was refunded; fails with 22012 if one of them is not there or has not less. */
export function updateCaptures(session: Session, refunds: readonly RefundedCapture[]): Promise<unknown> {
  return session.run(updateCapturesStatement, [
    uuidArray(refunds.map((refund) => refund.hold)),
    intArray(refunds.map((refund) => refund.capture.line)),
    bigintArray(refunds.map((refund) => refund.capture.refunded)),
    refunds.length,
  ]);
}
