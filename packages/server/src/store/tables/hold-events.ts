/** Events of holds: never changed or deleted, but for the refunded amount of a capture. */
import { type Capture, defaultRefundDays } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { uuidArray } from "../statements/binary-arrays.ts";
import { bigint, insertRows, int, plain, updateRows, uuid } from "../statements/row-statements.ts";
import { epochMs } from "../statements/select-list.ts";
import { type HoldKeys, holdKeyIds, holdKeyValues } from "./holds.ts";
import type { Session, Statement } from "../postgres/session.ts";

export interface NewHoldEvent {
  readonly hold: string;
  readonly sequence: number;
  /** A number of `holdEventKinds`. */
  readonly kind: number;
  readonly command: string;
  readonly amount: bigint;
  /** Sequence of the capture that a refund refunds. */
  readonly captureSequence: number | undefined;
  /** End of a capture's time for refunds (epoch ms). */
  readonly refundUntil: number | undefined;
}

/** Captures by the id of their hold, oldest first. */
export type FoundCaptures = ReadonlyMap<string, readonly Capture[]>;

/** Captures by a release without the column have the default from their time on. */
const refundUntil = epochMs(`coalesce(refund_until, created_at + interval '${defaultRefundDays} days')`);

/** Events of the named holds, each looked up in its own partition alone. */
const eventsWhere = (condition: string) => `select found.* from
  (select distinct id from unnest(${holdKeyIds}) named (id)) named cross join lateral (
    select hold_id, sequence, command_id, amount, refunded, ${refundUntil} from hold_events where hold_id = named.id and ${condition}) found
  order by hold_id, sequence`;

// The lock of a hold covers its events: they are read after it, without locks of their own.
const findCapturesStatement: Statement = {
  name: "find-captures",
  text: eventsWhere("kind = 1 and refunded < amount"),
};

const findNamedStatement: Statement = {
  name: "find-named-captures",
  text: eventsWhere("kind = 1 and command_id = any($3::uuid[])"),
};

/** The refundable captures of the holds `all`, and of the holds `byName` those of the given commands. */
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
  for (const [hold, sequence, id, amount, refunded, until] of rows as string[][]) {
    const captures = found.get(hold as string) ?? [];
    found.set(hold as string, captures);
    captures.push({
      sequence: Number(sequence),
      id: id as string,
      amount: minor(BigInt(amount as string)),
      refunded: minor(BigInt(refunded as string)),
      refundUntil: Number(until),
    });
  }
  for (const captures of found.values()) captures.sort((a, b) => a.sequence - b.sequence);
  return found;
}

export const insertHoldEvents = insertRows<NewHoldEvent>(
  "hold_events",
  {
    hold_id: uuid((event) => event.hold),
    sequence: int((event) => event.sequence),
    kind: int((event) => event.kind),
    command_id: uuid((event) => event.command),
    amount: bigint((event) => event.amount),
    capture_sequence: plain("int")((event) => event.captureSequence),
    refund_until: plain("timestamptz")(({ refundUntil: until }) =>
      until === undefined ? undefined : new Date(until).toISOString(),
    ),
  },
  { created_at: "$1::timestamptz" },
);

export interface RefundedCapture {
  readonly hold: string;
  readonly capture: Capture;
}

/** Writes the refunded sums of captures; fails with 22012 if a capture is missing or its sum would not grow. */
export const updateCaptures = updateRows<RefundedCapture>({
  name: "update-captures",
  table: "hold_events",
  where: {
    hold_id: uuid((refund) => refund.hold),
    sequence: int((refund) => refund.capture.sequence),
  },
  and: "t.kind = 1 and t.refunded < c.refunded",
  set: { refunded: bigint((refund) => refund.capture.refunded) },
});
