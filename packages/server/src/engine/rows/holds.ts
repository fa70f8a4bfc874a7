/**
 * Holds and their events. A hold names its payer's account and its settlement account. One that is closed for long stands in
 * another table: it is read without locks, and no effect can name it.
 */
import type { Account } from "../../ledger/accounts/account.ts";
import { type Capture, type Hold, holdEventKinds } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import {
  findCaptures,
  type FoundCaptures,
  insertHoldEvents,
  type NewHoldEvent,
  type RefundedCapture,
  updateCaptures,
} from "../../store/tables/hold-events.ts";
import { type ClosedHold, findClosedHolds } from "../../store/tables/closed-holds.ts";
import {
  findLockedHolds,
  type HoldKeys,
  type HoldRow,
  type HoldUpdate,
  insertHolds,
  lockHolds,
  updateHolds,
} from "../../store/tables/holds.ts";
import { changesOf, type HoldChanges, type HoldEffect } from "./hold-changes.ts";
import {
  type AccountParents,
  type Accounts,
  isNothing,
  type KindRows,
  nothingPrepared,
  type RowKind,
} from "./row-kind.ts";

export interface HoldLocks {
  /** One hold, with its payer's and its settlement account. */
  readonly hold?: HoldLock;
}

/** A hold by its id, or by the partner reference key of the request that placed it. */
export interface HoldLock {
  readonly id?: string;
  readonly partnerReferenceKey?: string;
  /** Also the named capture; where none is named, all refundable ones. */
  readonly captures?: { readonly named?: string | undefined };
}

/** A hold with its accounts; its captures only where the lock names them. */
export interface LockedHold {
  readonly hold: Hold;
  readonly payer: Account;
  readonly settlement: Account;
  readonly captures: readonly Capture[];
  /** It is one of the closed holds, not locked, and nothing can change it. */
  readonly closed?: Pick<ClosedHold, "areEventsDetached">;
}

export interface LockedHolds {
  /** The hold the command's locks name. */
  hold(): LockedHold | undefined;
}

export interface LoadedHolds {
  readonly holds: readonly HoldRow[];
  readonly captures: FoundCaptures;
  readonly closed?: readonly ClosedHold[];
}

export interface HoldRowKeys extends AccountParents {
  /** Those of the holds whose captures are read: all that can be refunded, or the named ones. */
  readonly whole: HoldKeys;
  readonly inPart: HoldKeys;
  readonly captures: readonly string[];
}

const noKeys: HoldKeys = { ids: [], partnerReferenceKeys: [] };
const noCaptures: FoundCaptures = new Map();

export const holds: RowKind<
  HoldLocks,
  HoldRowKeys,
  HoldRowKeys,
  Pick<LoadedHolds, "holds">,
  Pick<LoadedHolds, "captures" | "closed">
> = {
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
  readMissing: (session, { accountParents: named }, { holds: found }) => {
    if (named.ids.length + named.partnerReferenceKeys.length === found.length) return undefined;
    const missing = missingOf(named, found);
    return isNothing(missing) ? undefined : findClosedHolds(session, missing).then((closed) => ({ closed }));
  },
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

function missingOf({ ids, partnerReferenceKeys }: HoldKeys, found: readonly HoldRow[]): HoldKeys {
  const names = new Set(found.flatMap(({ hold, partnerReferenceKey }) => [hold.id, partnerReferenceKey]));
  const isMissing = (name: string) => !names.has(name);
  return { ids: ids.filter(isMissing), partnerReferenceKeys: partnerReferenceKeys.filter(isMissing) };
}

/** A refund that names no capture reads all refundable ones. */
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
  readonly oldEventCount: number | undefined;
  changed: boolean;
  /** By sequence, in order: those loaded and those of this batch. */
  readonly captures: Map<number, Capture>;
}

function createSlots(loaded: LoadedHolds) {
  const byId = new Map<string, Slot>();
  const byPartnerReferenceKey = new Map<string, Slot>();
  const index = (slot: Slot) => {
    byId.set(slot.hold.id, slot);
    byPartnerReferenceKey.set(slot.partnerReferenceKey, slot);
  };
  for (const { hold, partnerReferenceKey } of loaded.holds) {
    const found = (loaded.captures.get(hold.id) ?? []).map((capture) => [capture.sequence, capture] as const);
    index({ hold, partnerReferenceKey, oldEventCount: hold.eventCount, changed: false, captures: new Map(found) });
  }
  const slotOf = ({ id, partnerReferenceKey }: HoldLock) =>
    id === undefined ? byPartnerReferenceKey.get(partnerReferenceKey ?? "") : byId.get(id);
  return { byId, index, slotOf };
}

function openClosed({ closed = [], captures }: LoadedHolds) {
  const byName = new Map(closed.flatMap((one) => [one.hold.id, one.partnerReferenceKey].map((name) => [name, one])));
  return ({ id, partnerReferenceKey, captures: wanted }: HoldLock): LockedHold | undefined => {
    const found = byName.get(id ?? partnerReferenceKey ?? "");
    if (!found) return undefined;
    const { hold, payer, settlement, areEventsDetached } = found;
    return {
      hold,
      captures: wanted ? (captures.get(hold.id) ?? []) : [],
      payer,
      settlement,
      closed: { areEventsDetached },
    };
  };
}

export function openHolds(loaded: LoadedHolds, accounts: Accounts): HoldRows {
  const { byId, index, slotOf } = createSlots(loaded);
  const findClosed = openClosed(loaded);
  const events: NewHoldEvent[] = [];
  const refunded = new Map<string, RefundedCapture>();
  const applyEvent = (event: NewHoldEvent) => {
    events.push(event);
    if (event.kind !== holdEventKinds.capture) return;
    const { sequence, command: id, amount, refundUntil = Infinity } = event;
    const capture = { sequence, id, amount: minor(amount), refunded: minor(0n), refundUntil };
    byId.get(event.hold)?.captures.set(sequence, capture);
  };
  const apply = (changes: HoldChanges, partnerReferenceKey: string) => {
    for (const [id, hold] of changes.holds) {
      const slot = byId.get(id);
      if (!slot)
        index({
          hold,
          partnerReferenceKey,
          oldEventCount: undefined,
          changed: hold.eventCount > 0,
          captures: new Map(),
        });
      else {
        slot.hold = hold;
        slot.changed = true;
      }
    }
    for (const event of changes.events) applyEvent(event);
    for (const [key, refund] of changes.captures) {
      byId.get(refund.hold)?.captures.set(refund.capture.sequence, refund.capture);
      refunded.set(key, refund);
    }
  };

  return {
    find: ({ hold: lock }) => {
      if (!lock) throw new Error("no hold was declared");
      const slot = slotOf(lock);
      if (!slot) return findClosed(lock);
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
        rows: changes.holds.size + changes.events.length + changes.captures.size,
        apply: () => apply(changes, draft.partnerReferenceKey ?? ""),
      };
    },
    // A hold this batch placed is added, then changed like any other; so are its captures.
    write: (session, at, send) => {
      const { placed, changed } = writesOf([...byId.values()]);
      if (placed.length > 0) send(insertHolds(session, placed, at));
      if (changed.length > 0) send(updateHolds(session, changed));
      if (events.length > 0) send(insertHoldEvents(session, events, at));
      if (refunded.size > 0) send(updateCaptures(session, [...refunded.values()]));
    },
  };
}

function writesOf(slots: readonly Slot[]): { placed: readonly HoldRow[]; changed: readonly HoldUpdate[] } {
  return {
    placed: slots.filter((slot) => slot.oldEventCount === undefined),
    changed: slots.filter((slot) => slot.changed).map(({ hold, oldEventCount = 0 }) => ({ hold, oldEventCount })),
  };
}
