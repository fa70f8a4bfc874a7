/** Lines of holds: added, never changed or deleted, but for what of a capture was refunded. */
import type { Capture } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { uuidArray } from "../postgres/binary-arrays.ts";
import { bigint, insertRows, int, plain, updateRows, uuid } from "../postgres/row-statements.ts";
import { type HoldKeys, holdKeyIds, holdKeyValues } from "./holds.ts";
import type { Session, Statement } from "../postgres/session.ts";

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

export const insertHoldEvents = insertRows<NewHoldEvent>(
  "hold_events",
  {
    hold_id: uuid((event) => event.hold),
    sequence: int((event) => event.line),
    kind: int((event) => event.kind),
    command_id: uuid((event) => event.command),
    amount: bigint((event) => event.amount),
    capture_sequence: plain("int")((event) => event.capture),
  },
  { created_at: "$1::timestamptz" },
);

export interface RefundedCapture {
  readonly hold: string;
  readonly capture: Capture;
}

/** Writes what of captures was refunded; fails with 22012 if one of them is not there or has not less. */
export const updateCaptures = updateRows<RefundedCapture>({
  name: "update-captures",
  table: "hold_events",
  where: {
    hold_id: uuid((refund) => refund.hold),
    sequence: int((refund) => refund.capture.line),
  },
  and: "t.kind = 1 and t.refunded < c.refunded",
  set: { refunded: bigint((refund) => refund.capture.refunded) },
});
