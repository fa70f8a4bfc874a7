/** The part of all changes that is about holds: new ones, what becomes of others, their lines and their captures. */
import { type Capture, type Hold, type HoldEvent, holdEventKinds, remaining } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import type { Effect } from "../command.ts";
import type { Changes, Locked } from "./changes.ts";

/** Adds to what is held on an account; less than zero releases. */
type Reserve = (account: string, amount: bigint) => void;

function captureKey(hold: string, line: number): string {
  return `${hold}/${line}`;
}

/** @throws when a hold was not locked, or its sums do not add up. */
export function addHoldChanges(
  changes: Changes,
  effect: Effect<unknown>,
  command: string,
  locked: Locked,
  reserve: Reserve,
): void {
  for (const hold of effect.newHolds ?? []) {
    if (locked.hold(hold.id) || hold.lines > 0) throw new Error(`hold ${hold.id} is placed twice`);
    changes.holds.set(hold.id, hold);
    reserve(hold.payer, remaining(hold));
  }
  for (const { hold, lines } of effect.holds ?? []) {
    const before = changes.holds.get(hold.id) ?? locked.hold(hold.id);
    if (!before) throw new Error(`an effect names hold ${hold.id}, which the batch did not lock`);
    let line = before.lines;
    for (const added of lines) {
      line += 1;
      if (added.kind === "refund") refundCapture(changes, hold.id, added, locked);
      changes.holdEvents.push({
        hold: hold.id,
        line,
        kind: holdEventKinds[added.kind],
        command,
        amount: added.amount,
        capture: added.capture,
      });
    }
    const after = { ...hold, lines: line };
    rejectBrokenSums(before, after, lines);
    changes.holds.set(hold.id, after);
    if (remaining(after) !== remaining(before)) reserve(hold.payer, remaining(after) - remaining(before));
  }
}

function refundCapture(changes: Changes, hold: string, { amount, capture: line = 0 }: HoldEvent, locked: Locked): void {
  const key = captureKey(hold, line);
  const before: Capture | undefined = changes.captures.get(key)?.capture ?? locked.capture(hold, line);
  if (!before) throw new Error(`an effect refunds line ${line} of hold ${hold}, which was not loaded`);
  const capture = { ...before, refunded: minor(before.refunded + amount) };
  if (capture.refunded > capture.amount) throw new Error(`line ${line} of hold ${hold} is refunded beyond its amount`);
  changes.captures.set(key, { hold, capture });
}

/** The lines must say exactly what the sums say: spec D10's algebra, once more. */
function rejectBrokenSums(before: Hold, after: Hold, lines: readonly HoldEvent[]): void {
  const added = { capture: 0n, void: 0n, expiry: 0n, refund: 0n };
  for (const { kind, amount } of lines) added[kind] += amount;
  const agrees =
    after.captured === before.captured + added.capture &&
    after.voided === before.voided + added.void &&
    after.expired === before.expired + added.expiry &&
    after.refunded === before.refunded + added.refund;
  const holds = remaining(after) >= 0n && after.refunded <= after.captured && after.held === before.held;
  if (!agrees || !holds || lines.some((line) => line.amount <= 0n)) {
    throw new Error(`the sums of hold ${after.id} do not follow from its lines`);
  }
}
