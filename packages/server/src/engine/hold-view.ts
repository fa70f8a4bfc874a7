/** The holds of a flight's working copy, with their captures, and what of them is to be written. */
import { type Capture, type Hold, holdLineKinds } from "../ledger/hold.ts";
import { minor } from "../ledger/money.ts";
import type { FoundCaptures, NewHoldLine, RefundedCapture } from "../store/hold-lines.ts";
import type { HoldRow, HoldUpdate } from "../store/holds.ts";
import type { HoldLock } from "./command.ts";
import type { Draft } from "./draft.ts";

export interface LoadedHolds {
  readonly holds: readonly HoldRow[];
  readonly captures: FoundCaptures;
}

/** Written in this order: a hold this flight placed is added, then changed like any other; so are its captures. */
export interface HoldWrites {
  placed(): readonly HoldRow[];
  changed(): readonly HoldUpdate[];
  lines(): readonly NewHoldLine[];
  refunded(): readonly RefundedCapture[];
}

export interface HoldView {
  find(lock: HoldLock): { readonly hold: Hold; readonly captures: readonly Capture[] } | undefined;
  hold(id: string): Hold | undefined;
  capture(hold: string, line: number): Capture | undefined;
  /** Takes a whole draft over; `numberKey` is its command's, under which a hold it places is found. */
  take(draft: Draft, numberKey: string): void;
  readonly writes: HoldWrites;
}

interface Slot {
  hold: Hold;
  readonly numberKey: string;
  /** Undefined: placed by this flight. */
  readonly oldLines: number | undefined;
  changed: boolean;
  /** By line, in their order: those loaded and those of this flight. */
  readonly captures: Map<number, Capture>;
}

export function createHoldView({ holds, captures }: LoadedHolds): HoldView {
  const byId = new Map<string, Slot>();
  const byNumberKey = new Map<string, Slot>();
  const lines: NewHoldLine[] = [];
  const refunded = new Map<string, RefundedCapture>();
  const file = (slot: Slot) => {
    byId.set(slot.hold.id, slot);
    byNumberKey.set(slot.numberKey, slot);
  };
  for (const { hold, numberKey } of holds) {
    const loaded = (captures.get(hold.id) ?? []).map((capture) => [capture.line, capture] as const);
    file({ hold, numberKey, oldLines: hold.lines, changed: false, captures: new Map(loaded) });
  }

  const takeLine = (line: NewHoldLine) => {
    lines.push(line);
    if (line.kind !== holdLineKinds.capture) return;
    const { line: number, command: id, amount } = line;
    byId.get(line.hold)?.captures.set(number, { line: number, id, amount: minor(amount), refunded: minor(0n) });
  };

  return {
    find: ({ id, numberKey, captures: wanted }) => {
      const slot = id === undefined ? byNumberKey.get(numberKey ?? "") : byId.get(id);
      // A flight of captures from one hold would otherwise copy, for each, all that came before it.
      return slot && { hold: slot.hold, captures: wanted ? [...slot.captures.values()] : [] };
    },
    hold: (id) => byId.get(id)?.hold,
    capture: (hold, line) => byId.get(hold)?.captures.get(line),
    take: (draft, numberKey) => {
      for (const [id, hold] of draft.holds) {
        const slot = byId.get(id);
        if (!slot) file({ hold, numberKey, oldLines: undefined, changed: hold.lines > 0, captures: new Map() });
        else {
          slot.hold = hold;
          slot.changed = true;
        }
      }
      for (const line of draft.holdLines) takeLine(line);
      for (const [key, refund] of draft.captures) {
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
