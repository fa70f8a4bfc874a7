/** The holds of a batch's working copy, with their captures, and what of them is to be written. */
import { type Capture, type Hold, holdEventKinds } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import type { FoundCaptures, NewHoldEvent, RefundedCapture } from "../../store/tables/hold-events.ts";
import type { HoldRow, HoldUpdate } from "../../store/tables/holds.ts";
import type { HoldLock } from "../command.ts";
import type { Changes } from "./changes.ts";

export interface LoadedHolds {
  readonly holds: readonly HoldRow[];
  readonly captures: FoundCaptures;
}

/** Written in this order: a hold this batch placed is added, then changed like any other; so are its captures. */
export interface HoldWrites {
  placed(): readonly HoldRow[];
  changed(): readonly HoldUpdate[];
  lines(): readonly NewHoldEvent[];
  refunded(): readonly RefundedCapture[];
}

export interface HoldRows {
  find(lock: HoldLock): { readonly hold: Hold; readonly captures: readonly Capture[] } | undefined;
  hold(id: string): Hold | undefined;
  capture(hold: string, line: number): Capture | undefined;
  /** Takes all changes over; `partnerReferenceKey` is its command's, under which a hold it places is found. */
  take(changes: Changes, partnerReferenceKey: string): void;
  readonly writes: HoldWrites;
}

interface Slot {
  hold: Hold;
  readonly partnerReferenceKey: string;
  /** Undefined: placed by this batch. */
  readonly oldLines: number | undefined;
  changed: boolean;
  /** By line, in their order: those loaded and those of this batch. */
  readonly captures: Map<number, Capture>;
}

export function createHoldRows({ holds, captures }: LoadedHolds): HoldRows {
  const byId = new Map<string, Slot>();
  const byNumberKey = new Map<string, Slot>();
  const lines: NewHoldEvent[] = [];
  const refunded = new Map<string, RefundedCapture>();
  const file = (slot: Slot) => {
    byId.set(slot.hold.id, slot);
    byNumberKey.set(slot.partnerReferenceKey, slot);
  };
  for (const { hold, partnerReferenceKey } of holds) {
    const loaded = (captures.get(hold.id) ?? []).map((capture) => [capture.line, capture] as const);
    file({ hold, partnerReferenceKey, oldLines: hold.lines, changed: false, captures: new Map(loaded) });
  }

  const takeLine = (line: NewHoldEvent) => {
    lines.push(line);
    if (line.kind !== holdEventKinds.capture) return;
    const { line: number, command: id, amount } = line;
    byId.get(line.hold)?.captures.set(number, { line: number, id, amount: minor(amount), refunded: minor(0n) });
  };

  return {
    find: ({ id, partnerReferenceKey, captures: lockSet }) => {
      const slot = id === undefined ? byNumberKey.get(partnerReferenceKey ?? "") : byId.get(id);
      // A batch of captures from one hold would otherwise copy, for each, all that came before it.
      return slot && { hold: slot.hold, captures: lockSet ? [...slot.captures.values()] : [] };
    },
    hold: (id) => byId.get(id)?.hold,
    capture: (hold, line) => byId.get(hold)?.captures.get(line),
    take: (changes, partnerReferenceKey) => {
      for (const [id, hold] of changes.holds) {
        const slot = byId.get(id);
        if (!slot)
          file({ hold, partnerReferenceKey, oldLines: undefined, changed: hold.lines > 0, captures: new Map() });
        else {
          slot.hold = hold;
          slot.changed = true;
        }
      }
      for (const line of changes.holdEvents) takeLine(line);
      for (const [key, refund] of changes.captures) {
        byId.get(refund.hold)?.captures.set(refund.capture.line, refund.capture);
        refunded.set(key, refund);
      }
    },
    writes: {
      placed: () => [...byId.values()].filter((slot) => slot.oldLines === undefined),
      changed: () =>
        [...byId.values()].filter((slot) => slot.changed).map(({ hold, oldLines = 0 }) => ({ hold, oldLines })),
      lines: () => lines,
      refunded: () => [...refunded.values()],
    },
  };
}
