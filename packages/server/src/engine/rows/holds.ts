/** Holds, with the lines of what happened to them. A hold leads to its payer's and its settlement account. */
import type { Account } from "../../ledger/accounts/account.ts";
import {
  type Capture,
  type Hold,
  type HoldChange,
  type HoldEvent,
  holdEventKinds,
  remaining,
} from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import {
  findCaptures,
  type FoundCaptures,
  insertHoldEvents,
  type NewHoldEvent,
  type RefundedCapture,
  updateCaptures,
} from "../../store/tables/hold-events.ts";
import {
  findLockedHolds,
  type HoldKeys,
  type HoldRow,
  type HoldUpdate,
  insertHolds,
  lockHolds,
  updateHolds,
} from "../../store/tables/holds.ts";
import {
  type AccountParents,
  type Accounts,
  type Draft,
  isNothing,
  type KindRows,
  nothingPrepared,
  type RowKind,
} from "./row-kind.ts";

export interface HoldLocks {
  /** One hold, with its payer's and its settlement account. */
  readonly hold?: HoldLock;
}

/** A hold by its id, or by the number key of the write that placed it. */
export interface HoldLock {
  readonly id?: string;
  readonly partnerReferenceKey?: string;
  /** Also the named capture; where none is named, all of which something can be refunded. */
  readonly captures?: { readonly named?: string | undefined };
}

export interface HoldEffect {
  /** New holds, with nothing taken from them yet: their money is held on the payer's account. */
  readonly newHolds?: readonly Hold[];
  /** Holds as they become, with a line for each thing that happened; what they release is no longer held. */
  readonly holds?: readonly HoldChange[];
}

/** A hold as it was locked, with its accounts; its captures only where they were asked for. */
export interface LockedHold {
  readonly hold: Hold;
  readonly payer: Account;
  readonly settlement: Account;
  readonly captures: readonly Capture[];
}

export interface LockedHolds {
  /** The hold the command's locks name. */
  hold(): LockedHold | undefined;
}

export interface LoadedHolds {
  readonly holds: readonly HoldRow[];
  readonly captures: FoundCaptures;
}

export interface Keys extends AccountParents {
  /** Those of the holds whose captures are read: all that can be refunded, or the named ones. */
  readonly whole: HoldKeys;
  readonly inPart: HoldKeys;
  readonly captures: readonly string[];
}

const noKeys: HoldKeys = { ids: [], partnerReferenceKeys: [] };
const noCaptures: FoundCaptures = new Map();

export const holds: RowKind<HoldLocks, Keys, Keys, Pick<LoadedHolds, "holds">, Pick<LoadedHolds, "captures">> = {
  keysOf: (commands) => {
    const named = commands.flatMap(({ locks }) => locks.hold ?? []);
    const inPart = named.filter((lock) => lock.captures?.named !== undefined);
    const captures = new Set(inPart.flatMap((lock) => lock.captures?.named ?? []));
    const whole = named.filter(readsWhole);
    return { accountParents: keysOf(named), whole: keysOf(whole), inPart: keysOf(inPart), captures: [...captures] };
  },
  keysOfIds: (ids) => ({
    accountParents: { ids, partnerReferenceKeys: [] },
    whole: noKeys,
    inPart: noKeys,
    captures: [],
  }),
  // Of a hold that leads to a locked account the hold itself remains.
  without: ({ accountParents: { ids, partnerReferenceKeys }, whole, inPart, captures }, locked) => {
    const isFree = (name: string) => !locked.has(name);
    const accountParents = { ids: ids.filter(isFree), partnerReferenceKeys: partnerReferenceKeys.filter(isFree) };
    return { accountParents, whole, inPart, captures };
  },
  lock: async (session, { accountParents: named }) => ({
    holds: isNothing(named) ? [] : await lockHolds(session, named),
  }),
  read: async (session, { whole, inPart, captures }) => ({
    captures: isNothing(whole) && isNothing(inPart) ? noCaptures : await findCaptures(session, whole, inPart, captures),
  }),
  findLocked: (session, keys) => findLockedHolds(session, keys.accountParents),
  readsUnbounded: ({ hold }) => hold !== undefined && readsWhole(hold),
};

function keysOf(locks: readonly HoldLock[]): HoldKeys {
  const ids = new Set<string>();
  const partnerReferenceKeys = new Set<string>();
  for (const { id, partnerReferenceKey } of locks) {
    if (id !== undefined) ids.add(id);
    else if (partnerReferenceKey !== undefined) partnerReferenceKeys.add(partnerReferenceKey);
  }
  return { ids: [...ids], partnerReferenceKeys: [...partnerReferenceKeys] };
}

/** A refund that names no capture reads all of which something can be given back. */
function readsWhole({ captures }: HoldLock): boolean {
  return captures !== undefined && captures.named === undefined;
}

export interface HoldRows extends KindRows<HoldLocks, HoldEffect> {
  find(locks: HoldLocks): LockedHold | undefined;
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

function createSlots(loaded: LoadedHolds) {
  const byId = new Map<string, Slot>();
  const byPartnerReferenceKey = new Map<string, Slot>();
  const file = (slot: Slot) => {
    byId.set(slot.hold.id, slot);
    byPartnerReferenceKey.set(slot.partnerReferenceKey, slot);
  };
  for (const { hold, partnerReferenceKey } of loaded.holds) {
    const found = (loaded.captures.get(hold.id) ?? []).map((capture) => [capture.line, capture] as const);
    file({ hold, partnerReferenceKey, oldLines: hold.lines, changed: false, captures: new Map(found) });
  }
  const slotOf = ({ id, partnerReferenceKey }: HoldLock) =>
    id === undefined ? byPartnerReferenceKey.get(partnerReferenceKey ?? "") : byId.get(id);
  return { byId, file, slotOf };
}

export function openHolds(loaded: LoadedHolds, accounts: Accounts): HoldRows {
  const { byId, file, slotOf } = createSlots(loaded);
  const lines: NewHoldEvent[] = [];
  const refunded = new Map<string, RefundedCapture>();
  const applyLine = (line: NewHoldEvent) => {
    lines.push(line);
    if (line.kind !== holdEventKinds.capture) return;
    const { line: number, command: id, amount } = line;
    byId.get(line.hold)?.captures.set(number, { line: number, id, amount: minor(amount), refunded: minor(0n) });
  };
  const apply = (changes: Changes, partnerReferenceKey: string) => {
    for (const [id, hold] of changes.holds) {
      const slot = byId.get(id);
      if (!slot) file({ hold, partnerReferenceKey, oldLines: undefined, changed: hold.lines > 0, captures: new Map() });
      else {
        slot.hold = hold;
        slot.changed = true;
      }
    }
    for (const line of changes.lines) applyLine(line);
    for (const [key, refund] of changes.captures) {
      byId.get(refund.hold)?.captures.set(refund.capture.line, refund.capture);
      refunded.set(key, refund);
    }
  };

  return {
    find: ({ hold: lock }) => {
      if (!lock) throw new Error("no hold was declared");
      const slot = slotOf(lock);
      if (!slot) return undefined;
      const { hold, captures } = slot;
      const [payer, settlement] = [accounts.byId(hold.payer), accounts.byId(hold.settlement)];
      if (!payer || !settlement) throw new Error(`an account of hold ${hold.id} is not there`);
      // A batch of captures from one hold would otherwise copy, for each, all that came before it.
      return { hold, captures: lock.captures ? [...captures.values()] : [], payer, settlement };
    },
    namesOf: ({ hold: lock }) => {
      const hold = lock && slotOf(lock)?.hold;
      return [lock?.id, lock?.partnerReferenceKey, hold?.payer, hold?.settlement];
    },
    hasAny: ({ hold: lock }) => lock !== undefined && slotOf(lock) !== undefined,
    prepare: (effect, draft) => {
      if (!effect.newHolds && !effect.holds) return nothingPrepared;
      const changes = changesOf(effect, draft, byId);
      return {
        rows: changes.holds.size + changes.lines.length + changes.captures.size,
        apply: () => apply(changes, draft.partnerReferenceKey ?? ""),
      };
    },
    // A hold this batch placed is added, then changed like any other; so are its captures.
    write: (session, at, send) => {
      const { placed, changed } = writesOf([...byId.values()]);
      if (placed.length > 0) send(insertHolds(session, placed, at));
      if (changed.length > 0) send(updateHolds(session, changed));
      if (lines.length > 0) send(insertHoldEvents(session, lines, at));
      if (refunded.size > 0) send(updateCaptures(session, [...refunded.values()]));
    },
  };
}

function writesOf(slots: readonly Slot[]): { placed: readonly HoldRow[]; changed: readonly HoldUpdate[] } {
  return {
    placed: slots.filter((slot) => slot.oldLines === undefined),
    changed: slots.filter((slot) => slot.changed).map(({ hold, oldLines = 0 }) => ({ hold, oldLines })),
  };
}

/** What an effect would change, worked out beside the rows. */
interface Changes {
  /** The holds as the effect leaves them, by id; new ones among them. */
  readonly holds: Map<string, Hold>;
  readonly lines: NewHoldEvent[];
  /** Captures of which something was refunded, by hold and line. */
  readonly captures: Map<string, RefundedCapture>;
}

type Slots = ReadonlyMap<string, Slot>;

/** @throws also when the sums of a hold do not add up. */
function changesOf(
  { newHolds = [], holds: changed = [] }: HoldEffect,
  { journalId, partnerReferenceKey, reserves }: Draft,
  locked: Slots,
): Changes {
  const changes: Changes = { holds: new Map(), lines: [], captures: new Map() };
  if (newHolds.length > 0 && !partnerReferenceKey) throw new Error(`command ${journalId} holds without a key`);
  for (const hold of newHolds) {
    if (locked.has(hold.id) || hold.lines > 0) throw new Error(`hold ${hold.id} is placed twice`);
    changes.holds.set(hold.id, hold);
    reserves.push({ account: hold.payer, amount: remaining(hold) });
  }
  for (const { hold, lines } of changed) {
    const before = changes.holds.get(hold.id) ?? locked.get(hold.id)?.hold;
    if (!before) throw new Error(`an effect names hold ${hold.id}, which the batch did not lock`);
    let line = before.lines;
    for (const added of lines) {
      line += 1;
      if (added.kind === "refund") refundCapture(changes, hold.id, added, locked);
      const { amount, capture } = added;
      const kind = holdEventKinds[added.kind];
      changes.lines.push({ hold: hold.id, line, kind, command: journalId, amount, capture });
    }
    const after: Hold = { ...hold, lines: line };
    rejectBrokenSums(before, after, lines);
    changes.holds.set(hold.id, after);
    const amount = remaining(after) - remaining(before);
    if (amount !== 0n) reserves.push({ account: hold.payer, amount });
  }
  return changes;
}

function refundCapture(changes: Changes, hold: string, { amount, capture: line = 0 }: HoldEvent, locked: Slots): void {
  const key = `${hold}/${line}`;
  const before = changes.captures.get(key)?.capture ?? locked.get(hold)?.captures.get(line);
  if (!before) throw new Error(`an effect refunds line ${line} of hold ${hold}, which was not loaded`);
  const capture: Capture = { ...before, refunded: minor(before.refunded + amount) };
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
  const holdsUp = remaining(after) >= 0n && after.refunded <= after.captured && after.held === before.held;
  if (!agrees || !holdsUp || lines.some((line) => line.amount <= 0n)) {
    throw new Error(`the sums of hold ${after.id} do not follow from its lines`);
  }
}
