/** Changes of holds by an effect, checked before it is applied. */
import {
  type Capture,
  type Hold,
  type HoldChange,
  type HoldEvent,
  holdEventKinds,
  remaining,
} from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import type { NewHoldEvent, RefundedCapture } from "../../store/tables/hold-events.ts";
import type { Draft } from "./row-kind.ts";

export interface HoldEffect {
  /** New holds: their money is held on the payer's account. */
  readonly newHolds?: readonly Hold[];
  /** Holds as they become, with their new events; the amounts they release are no longer held. */
  readonly holds?: readonly HoldChange[];
}

/** Changes of an effect; the rows are not changed yet. */
export interface HoldChanges {
  /** The holds as the effect leaves them, by id; new ones among them. */
  readonly holds: Map<string, Hold>;
  readonly events: NewHoldEvent[];
  /** Refunded captures, by hold and sequence. */
  readonly captures: Map<string, RefundedCapture>;
}

type Locked = ReadonlyMap<string, { readonly hold: Hold; readonly captures: ReadonlyMap<number, Capture> }>;

/** @throws also when the sums of a hold do not add up. */
export function changesOf(
  { newHolds = [], holds: changed = [] }: HoldEffect,
  { journalId, partnerReferenceKey, reserves }: Draft,
  locked: Locked,
): HoldChanges {
  const changes: HoldChanges = { holds: new Map(), events: [], captures: new Map() };
  if (newHolds.length > 0 && !partnerReferenceKey) throw new Error(`command ${journalId} holds without a key`);
  for (const hold of newHolds) {
    if (locked.has(hold.id) || hold.eventCount > 0) throw new Error(`hold ${hold.id} is placed twice`);
    changes.holds.set(hold.id, hold);
    reserves.push({ account: hold.payer, amount: remaining(hold) });
  }
  for (const { hold, events } of changed) {
    const before = changes.holds.get(hold.id) ?? locked.get(hold.id)?.hold;
    if (!before) throw new Error(`an effect names hold ${hold.id}, which the batch did not lock`);
    let sequence = before.eventCount;
    for (const added of events) {
      sequence += 1;
      if (added.kind === "refund") refundCapture(changes, hold.id, added, locked);
      const { amount, captureSequence, refundUntil } = added;
      const kind = holdEventKinds[added.kind];
      changes.events.push({ hold: hold.id, sequence, kind, command: journalId, amount, captureSequence, refundUntil });
    }
    const after: Hold = { ...hold, eventCount: sequence };
    rejectBrokenSums(before, after, events);
    changes.holds.set(hold.id, after);
    const amount = remaining(after) - remaining(before);
    if (amount !== 0n) reserves.push({ account: hold.payer, amount });
  }
  return changes;
}

function refundCapture(
  changes: HoldChanges,
  hold: string,
  { amount, captureSequence: sequence = 0 }: HoldEvent,
  locked: Locked,
): void {
  const key = `${hold}/${sequence}`;
  const before = changes.captures.get(key)?.capture ?? locked.get(hold)?.captures.get(sequence);
  if (!before) throw new Error(`an effect refunds event ${sequence} of hold ${hold}, which was not loaded`);
  const capture: Capture = { ...before, refunded: minor(before.refunded + amount) };
  if (capture.refunded > capture.amount)
    throw new Error(`event ${sequence} of hold ${hold} is refunded beyond its amount`);
  changes.captures.set(key, { hold, capture });
}

/** The events must add up to the sums: spec D10's algebra, once more. */
function rejectBrokenSums(before: Hold, after: Hold, events: readonly HoldEvent[]): void {
  const added = { capture: 0n, void: 0n, expiry: 0n, refund: 0n };
  for (const { kind, amount } of events) added[kind] += amount;
  const agrees =
    after.captured === before.captured + added.capture &&
    after.voided === before.voided + added.void &&
    after.expired === before.expired + added.expiry &&
    after.refunded === before.refunded + added.refund;
  const holdsUp = remaining(after) >= 0n && after.refunded <= after.captured && after.held === before.held;
  if (!agrees || !holdsUp || events.some((event) => event.amount <= 0n)) {
    throw new Error(`the sums of hold ${after.id} do not follow from its events`);
  }
}
