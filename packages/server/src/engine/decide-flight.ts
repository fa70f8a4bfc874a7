/** The pure middle of a flight: what was loaded goes in, what to write and what to answer comes out. */
import type { Instant } from "../clock.ts";
import type { Refusal } from "../ledger/refusal.ts";
import type { FoundRefusals, NewRefusal, RefusalRow } from "../store/refusals.ts";
import type { FoundWrites, NewWrite, WriteRow } from "../store/writes.ts";
import type { OutboxEvent } from "../store/outbox.ts";
import type { Command, Context, DuplicateKeys, Effect, GivenUp, Outcome, RepeatKind } from "./command.ts";
import { AccountNeeded, RowLocked } from "./found.ts";
import { createView, type LoadedRows, type View } from "./view.ts";

/** Commands of a flight with the rows found for them; keys are looked up in the order of `keyed`. */
export interface Loaded extends LoadedRows {
  readonly writes: FoundWrites;
  readonly refusals: FoundRefusals;
}

export interface Decided {
  readonly outcomes: readonly (Outcome<unknown> | GivenUp)[];
  readonly view: View;
  readonly writes: readonly NewWrite[];
  readonly refusals: readonly NewRefusal[];
  /** Ids of old writes whose external id is taken again by this flight. */
  readonly freed: readonly string[];
  readonly events: readonly OutboxEvent[];
}

const overloaded: Outcome<unknown> = { kind: "overloaded" };

interface Flying {
  readonly view: View;
  readonly context: Context;
  readonly rowsMax: number;
  /** Rows it writes so far. */
  rows: number;
  readonly byExternalKey: Map<string, WriteRow>;
  readonly byNumberKey: Map<string, WriteRow>;
  readonly refusalBySignature: Map<string, RefusalRow>;
  /** By external key: the refusal that was sent last. */
  readonly lastRefusal: Map<string, RefusalRow>;
  readonly writes: NewWrite[];
  readonly refusals: NewRefusal[];
  readonly freed: string[];
  readonly events: OutboxEvent[];
}

/** The commands whose keys a flight looks up, in the order of the look-up. */
export function keyed(commands: readonly Command<unknown>[]): readonly DuplicateKeys[] {
  return commands.flatMap((command) => (command.keys ? [command.keys] : []));
}

/** What became of a command while it waited, by its position in the flight. */
export interface Waited {
  /** Its caller was told that nothing was taken: it is passed over. */
  isAnswered(position: number): boolean;
  /** Its time window has passed: it may still find that it was accepted, but is not decided any more. */
  isLate(position: number): boolean;
}

const inTime: Waited = { isAnswered: () => false, isLate: () => false };

/**
 * Decides the commands in order. One that throws fails alone, with nothing of it applied; so does one with whose rows the
 * flight would write more than `rowsMax`.
 */
export function decideFlight(
  commands: readonly Command<unknown>[],
  loaded: Loaded,
  context: Context,
  waited: Waited = inTime,
  rowsMax: number = Number.MAX_SAFE_INTEGER,
): Decided {
  const flying: Flying = {
    view: createView(loaded),
    context,
    rowsMax,
    rows: 0,
    byExternalKey: new Map(),
    byNumberKey: new Map(),
    refusalBySignature: new Map(),
    lastRefusal: new Map(),
    writes: [],
    refusals: [],
    freed: [],
    events: [],
  };
  fileFound(flying, keyed(commands), loaded);
  const outcomes = commands.map((command, position) =>
    waited.isAnswered(position) ? overloaded : decideOne(flying, command, waited.isLate(position)),
  );
  const { view, writes, refusals, freed, events } = flying;
  return { outcomes, view, writes, refusals, freed, events };
}

function fileFound(flying: Flying, keys: readonly DuplicateKeys[], loaded: Loaded): void {
  for (const [position, row] of loaded.writes.byExternalKey) {
    flying.byExternalKey.set((keys[position] as DuplicateKeys).externalKey, row);
  }
  for (const [position, row] of loaded.writes.byNumberKey) {
    flying.byNumberKey.set((keys[position] as DuplicateKeys).numberKey, row);
  }
  for (const [position, row] of loaded.refusals.bySignature) {
    flying.refusalBySignature.set((keys[position] as DuplicateKeys).signatureKey, row);
  }
  for (const [position, row] of loaded.refusals.lastSent) {
    flying.lastRefusal.set((keys[position] as DuplicateKeys).externalKey, row);
  }
}

function decideOne(flying: Flying, command: Command<unknown>, isLate: boolean): Outcome<unknown> | GivenUp {
  try {
    const known = command.keys && findRepeat(flying, command, command.keys);
    // Refused before, it waits for the lock of its rows: whoever has them may be accepting an older send of its id.
    if (known?.kind === "refusal") flying.view.foundFor(command.locks);
    if (known) return known;
    if (isLate) return overloaded;
    const found = flying.view.foundFor(command.locks);
    const decision = command.decide(found, flying.context);
    switch (decision.kind) {
      case "nothing":
        return decision;
      case "refusal":
        return {
          ...recordRefusal(flying, command, decision.refusal, command.refusalFacts?.(found, flying.context)),
          ...(command.keys && !flying.view.hasAny(command.locks) && { lockedNothing: true }),
        };
      case "effect":
        return accept(flying, command, decision.effect);
      default:
        return {
          kind: "failed",
          error: new Error(`command ${command.id} decided ${String(decision satisfies never)}`),
        };
    }
  } catch (error) {
    if (error instanceof AccountNeeded) return { kind: "needs", accountNo: error.accountNo };
    return error instanceof RowLocked ? { kind: "locked", row: error.row } : { kind: "failed", error };
  }
}

function accept(flying: Flying, command: Command<unknown>, effect: Effect<unknown>): Outcome<unknown> | GivenUp {
  const { now } = flying.context;
  // Whatever may throw comes before the view changes: facts that are no JSON must not leave their money moved.
  const row = command.keys && writeOf(command, command.keys, JSON.stringify(effect.facts), now);
  const prepared = flying.view.prepare(effect, command.id, command.keys?.numberKey);
  const rows = prepared.rows + (row ? 1 : 0);
  if (flying.rows + rows > flying.rowsMax) return { kind: "full", rows };
  flying.rows += rows;
  prepared.apply();
  if (row) recordWrite(flying, row);
  flying.events.push(...(effect.tells ?? []));
  return { kind: "effect", id: command.id, facts: effect.facts, at: now };
}

/**
 * Decision D7: the external id first, then the partner's number; then a copy of a refused call, and a call that was sent
 * no later than a refused one of its external id.
 */
function findRepeat(flying: Flying, command: Command<unknown>, keys: DuplicateKeys): Outcome<unknown> | undefined {
  const { id } = command;
  const byExternal = flying.byExternalKey.get(keys.externalKey);
  if (byExternal && isTaken(flying, byExternal)) {
    if (byExternal.id === id) return first(byExternal);
    return repeat(isSameRequest(flying, command, keys, byExternal) ? "sameCall" : "externalIdTaken", byExternal);
  }
  const copied = flying.refusalBySignature.get(keys.signatureKey);
  // Its own refusal, committed before: what others took since under its number does not change it.
  if (copied?.id === id) return refusedBefore(copied, keys);
  const byNumber = flying.byNumberKey.get(keys.numberKey);
  if (byNumber) {
    if (byNumber.id === id) return first(byNumber);
    return repeat(isSameContent(flying, command, keys, byNumber) ? "sameNumber" : "numberTaken", byNumber);
  }
  if (copied) return refusedBefore(copied, keys);
  const last = flying.lastRefusal.get(keys.externalKey);
  return last && last.sentAt >= keys.sentAt ? refusedBefore(last, keys) : undefined;
}

/** Many callers build a body anew: other bytes ask for the same where service, number and content are. */
function isSameRequest(flying: Flying, command: Command<unknown>, keys: DuplicateKeys, row: WriteRow): boolean {
  if (row.service !== keys.service) return false;
  if (row.bodyHash === keys.bodyHash) return true;
  return row.numberKey === keys.numberKey && isSameContent(flying, command, keys, row);
}

/** Of a write of the same service and number. */
function isSameContent(flying: Flying, command: Command<unknown>, keys: DuplicateKeys, row: WriteRow): boolean {
  return row.contentHash === keys.contentHash || command.isSameContent?.(row.facts, flying.context) === true;
}

/** What was recorded of another service tells nothing in the fields of this one. */
function refusedBefore({ id, service, kind, field, facts, at }: RefusalRow, keys: DuplicateKeys): Outcome<unknown> {
  const refusal = field === undefined ? { kind } : { kind, field };
  return { kind: "refusal", id, refusal, facts: service === keys.service ? facts : undefined, at };
}

/** An external id stays taken for its window, and for as long as its transfer is open; after that the newest use counts. */
function isTaken(flying: Flying, row: WriteRow): boolean {
  return row.isOpen === true || flying.context.now - row.at < flying.context.reference.duplicateWindowMs;
}

/** A command that met its own row: its commit went through and only the answer was lost. */
function first(row: WriteRow): Outcome<unknown> {
  return { kind: "effect", id: row.id, facts: JSON.parse(row.facts), at: row.at };
}

function repeat(kind: RepeatKind, original: WriteRow): Outcome<unknown> {
  return { kind: "repeat", repeat: kind, original };
}

function writeOf(command: Command<unknown>, keys: DuplicateKeys, facts: string, at: Instant): NewWrite {
  return {
    id: command.id,
    partner: keys.partner,
    service: keys.service,
    externalId: keys.externalId,
    externalKey: keys.externalKey,
    numberKey: keys.numberKey,
    bodyHash: keys.bodyHash,
    contentHash: keys.contentHash,
    facts,
    freeForm: command.freeForm,
    at,
  };
}

function recordWrite(flying: Flying, row: NewWrite): void {
  const expired = flying.byExternalKey.get(row.externalKey);
  if (expired) flying.freed.push(expired.id);
  flying.writes.push(row);
  flying.byExternalKey.set(row.externalKey, row);
  flying.byNumberKey.set(row.numberKey, row);
}

function recordRefusal(
  flying: Flying,
  { id, keys }: Command<unknown>,
  refusal: Refusal,
  facts: string | undefined,
): Extract<Outcome<unknown>, { readonly kind: "refusal" }> {
  const { now } = flying.context;
  if (keys && facts !== undefined) {
    const { partner, service, externalKey, numberKey, signatureKey, sentAt } = keys;
    const { kind, field } = refusal;
    const row = { id, partner, service, externalKey, numberKey, signatureKey, kind, field, facts, at: now, sentAt };
    flying.refusals.push(row);
    flying.refusalBySignature.set(signatureKey, row);
    // Had an earlier one been sent later, this call had got that refusal.
    flying.lastRefusal.set(externalKey, row);
  }
  return { kind: "refusal", id, refusal, facts, at: now };
}
