/** The pure middle of a batch: what was loaded goes in, what to write and what to answer comes out. */
import type { Instant } from "../../clock.ts";
import type { Rejection } from "../../ledger/rejection.ts";
import type {
  FoundRejectedRequests,
  NewRejectedRequest,
  RejectedRequest,
} from "../../store/tables/rejected-requests.ts";
import type {
  FoundAcceptedRequests,
  NewAcceptedRequest,
  AcceptedRequest,
} from "../../store/tables/accepted-requests.ts";
import type { OutboxEvent } from "../../store/tables/outbox.ts";
import type { Command, Context, DuplicateKeys, Effect, GivenUp, Outcome, RepeatKind } from "../command.ts";
import { AccountNotLocked } from "../rows/accounts.ts";
import type { LoadedRows } from "../rows/lock-order.ts";
import { idOfCopies } from "./idempotency-keys.ts";
import type { LockedNames } from "../rows/row-kind.ts";
import { createWorkingSet, RowLocked, type WorkingSet } from "../rows/working-set.ts";

/** Commands of a batch with the rows found for them; keys are looked up in the order of `keyed`. */
export interface Loaded extends LoadedRows {
  /** Rows that were passed over, because somebody else has locked them. */
  readonly locked: LockedNames;
  readonly writes: FoundAcceptedRequests;
  readonly rejections: FoundRejectedRequests;
}

export interface BatchDecision {
  readonly outcomes: readonly (Outcome<unknown> | GivenUp)[];
  readonly workingSet: WorkingSet;
  readonly writes: readonly NewAcceptedRequest[];
  readonly rejections: readonly NewRejectedRequest[];
  /** Ids of old writes whose external id is taken again by this batch. */
  readonly releasedIds: readonly string[];
  readonly events: readonly OutboxEvent[];
}

const overloaded: Outcome<unknown> = { kind: "overloaded" };

interface BatchState {
  readonly workingSet: WorkingSet;
  readonly context: Context;
  readonly rowsMax: number;
  /** Rows it writes so far. */
  rows: number;
  readonly byExternalIdKey: Map<string, AcceptedRequest>;
  readonly byPartnerReferenceKey: Map<string, AcceptedRequest>;
  readonly rejectionBySignature: Map<string, RejectedRequest>;
  /** By external key, in the order they were sent. */
  readonly rejectionsByExternalKey: Map<string, RejectedRequest[]>;
  readonly writes: NewAcceptedRequest[];
  readonly rejections: NewRejectedRequest[];
  readonly releasedIds: string[];
  readonly events: OutboxEvent[];
}

/** The commands whose keys a batch looks up, in the order of the look-up. */
export function keyed(commands: readonly Command<unknown>[]): readonly DuplicateKeys[] {
  return commands.flatMap((command) => (command.keys ? [command.keys] : []));
}

/** What became of a command while it waited, by its position in the batch. */
export interface Waited {
  /** Its caller was told that nothing was taken: it is passed over. */
  isAnswered(position: number): boolean;
  /** Its time window has passed: it may still find that it was accepted, but is not decided any more. */
  isLate(position: number): boolean;
}

const inTime: Waited = { isAnswered: () => false, isLate: () => false };

/**
 * Decides the commands in order. One that throws fails alone, with nothing of it applied; so does one with whose rows the
 * batch would write more than `rowsMax`.
 */
export function decideBatch(
  commands: readonly Command<unknown>[],
  loaded: Loaded,
  context: Context,
  waited: Waited = inTime,
  rowsMax: number = Number.MAX_SAFE_INTEGER,
): BatchDecision {
  const batch: BatchState = {
    workingSet: createWorkingSet(loaded),
    context,
    rowsMax,
    rows: 0,
    byExternalIdKey: new Map(),
    byPartnerReferenceKey: new Map(),
    rejectionBySignature: new Map(),
    rejectionsByExternalKey: new Map(),
    writes: [],
    rejections: [],
    releasedIds: [],
    events: [],
  };
  indexFound(batch, keyed(commands), loaded);
  const outcomes = commands.map((command, position) =>
    waited.isAnswered(position) ? overloaded : decideOne(batch, command, waited.isLate(position)),
  );
  const { workingSet, writes, rejections, releasedIds, events } = batch;
  return { outcomes, workingSet, writes, rejections, releasedIds, events };
}

function indexFound(batch: BatchState, keys: readonly DuplicateKeys[], loaded: Loaded): void {
  for (const [position, row] of loaded.writes.byExternalIdKey) {
    batch.byExternalIdKey.set((keys[position] as DuplicateKeys).externalIdKey, row);
  }
  for (const [position, row] of loaded.writes.byPartnerReferenceKey) {
    batch.byPartnerReferenceKey.set((keys[position] as DuplicateKeys).partnerReferenceKey, row);
  }
  for (const [position, row] of loaded.rejections.bySignature) {
    batch.rejectionBySignature.set((keys[position] as DuplicateKeys).signatureKey, row);
  }
  const sentInOrder = [...loaded.rejections.nextSent].toSorted(([, a], [, b]) => a.sentAt - b.sentAt);
  for (const [position, row] of sentInOrder) addRejection(batch, (keys[position] as DuplicateKeys).externalIdKey, row);
}

/** It was sent later than all that are there. */
function addRejection({ rejectionsByExternalKey: all }: BatchState, externalIdKey: string, row: RejectedRequest): void {
  const sent = all.get(externalIdKey);
  if (sent) sent.push(row);
  else all.set(externalIdKey, [row]);
}

function decideOne(batch: BatchState, command: Command<unknown>, isLate: boolean): Outcome<unknown> | GivenUp {
  const outcome = decideUnlessGivenUp(batch, command, isLate);
  return outcome.kind === "rejection" && locksNothing(batch, command) ? { ...outcome, lockedNothing: true } : outcome;
}

function locksNothing({ workingSet }: BatchState, { keys, locks }: Command<unknown>): boolean {
  return keys !== undefined && !workingSet.hasAny(locks);
}

function decideUnlessGivenUp(
  batch: BatchState,
  command: Command<unknown>,
  isLate: boolean,
): Outcome<unknown> | GivenUp {
  try {
    const known = command.keys && findRepeat(batch, command, command.keys);
    // Rejected before, it waits for the lock of its rows: whoever has them may be accepting an older send of its id.
    if (known?.kind === "rejection") batch.workingSet.lockedRowsFor(command.locks);
    if (known) return known;
    if (isLate) return overloaded;
    const found = batch.workingSet.lockedRowsFor(command.locks);
    const decision = command.decide(found, batch.context);
    switch (decision.kind) {
      case "nothing":
        return decision;
      case "rejection":
        return recordRejection(batch, command, decision.rejection, command.rejectionFacts?.(found, batch.context));
      case "effect":
        return accept(batch, command, decision.effect);
      default:
        return {
          kind: "failed",
          error: new Error(`command ${command.id} decided ${String(decision satisfies never)}`),
        };
    }
  } catch (error) {
    if (error instanceof AccountNotLocked) return { kind: "missingLock", accountNo: error.accountNo };
    return error instanceof RowLocked ? { kind: "locked", row: error.row } : { kind: "failed", error };
  }
}

function accept(batch: BatchState, command: Command<unknown>, effect: Effect<unknown>): Outcome<unknown> | GivenUp {
  const { now } = batch.context;
  // Whatever may throw comes before the working set changes: facts that are no JSON must not leave their money moved.
  const row = command.keys && writeOf(command, command.keys, JSON.stringify(effect.facts), now);
  const prepared = batch.workingSet.prepare(effect, command.id, command.keys?.partnerReferenceKey);
  const { notifications = [] } = effect;
  const rows = prepared.rows + notifications.length + (row ? 1 : 0);
  if (batch.rows + rows > batch.rowsMax) return { kind: "full", rows };
  batch.rows += rows;
  prepared.apply();
  if (row) recordWrite(batch, row);
  batch.events.push(...notifications);
  return { kind: "effect", id: command.id, facts: effect.facts, at: now };
}

/**
 * Spec D7: the external id first, then the partner's number; then a copy of a rejected call, and a call that was sent
 * no later than a rejected one of its external id: of several the one sent next, which no later rejection changes.
 */
function findRepeat(batch: BatchState, command: Command<unknown>, keys: DuplicateKeys): Outcome<unknown> | undefined {
  const { id } = command;
  const byExternal = batch.byExternalIdKey.get(keys.externalIdKey);
  if (byExternal && isReserved(batch, byExternal)) {
    if (byExternal.id === id) return first(byExternal);
    return repeat(isSameRequest(batch, command, keys, byExternal) ? "sameCall" : "externalIdTaken", byExternal);
  }
  const copied = batch.rejectionBySignature.get(keys.signatureKey);
  // Its own rejection, committed before: what others took since under its number does not change it.
  if (copied?.id === id) return rejectedBefore(copied, keys);
  const byNumber = batch.byPartnerReferenceKey.get(keys.partnerReferenceKey);
  if (byNumber) {
    if (byNumber.id === id) return first(byNumber);
    return repeat(hasSameContent(batch, command, keys, byNumber) ? "sameNumber" : "numberTaken", byNumber);
  }
  if (copied) return rejectedBefore(copied, keys);
  const next = batch.rejectionsByExternalKey.get(keys.externalIdKey)?.find((row) => row.sentAt >= keys.sentAt);
  return next && rejectedBefore(next, keys);
}

/** Many callers build a body anew: other bytes ask for the same where service, number and content are. */
function isSameRequest(
  batch: BatchState,
  command: Command<unknown>,
  keys: DuplicateKeys,
  row: AcceptedRequest,
): boolean {
  if (row.service !== keys.service) return false;
  if (row.bodyHash === keys.bodyHash) return true;
  return row.partnerReferenceKey === keys.partnerReferenceKey && hasSameContent(batch, command, keys, row);
}

/** Of a write of the same service and number. */
function hasSameContent(
  batch: BatchState,
  command: Command<unknown>,
  keys: DuplicateKeys,
  row: AcceptedRequest,
): boolean {
  return (
    row.requestFingerprint === keys.requestFingerprint || command.hasSameContent?.(row.facts, batch.context) === true
  );
}

/** What was recorded of another service tells nothing in the fields of this one. */
function rejectedBefore(
  { id, service, kind, field, facts, at }: RejectedRequest,
  keys: DuplicateKeys,
): Outcome<unknown> {
  const rejection = field === undefined ? { kind } : { kind, field };
  return { kind: "rejection", id, rejection, facts: service === keys.service ? facts : undefined, at };
}

/** An external id stays taken for its window, and for as long as its write is open; after that the newest use counts. */
function isReserved(batch: BatchState, row: AcceptedRequest): boolean {
  return row.isOpen === true || batch.context.now - row.at < batch.context.reference.idempotencyWindowMs;
}

/** A command that met its own row: its commit went through and only the answer was lost. */
function first(row: AcceptedRequest): Outcome<unknown> {
  return { kind: "effect", id: row.id, facts: JSON.parse(row.facts), at: row.at };
}

function repeat(kind: RepeatKind, original: AcceptedRequest): Outcome<unknown> {
  return { kind: "repeat", repeat: kind, original };
}

function writeOf(command: Command<unknown>, keys: DuplicateKeys, facts: string, at: Instant): NewAcceptedRequest {
  return {
    id: command.id,
    partner: keys.partner,
    service: keys.service,
    externalId: keys.externalId,
    externalIdKey: keys.externalIdKey,
    partnerReferenceKey: keys.partnerReferenceKey,
    bodyHash: keys.bodyHash,
    requestFingerprint: keys.requestFingerprint,
    facts,
    freeForm: command.freeForm,
    at,
  };
}

function recordWrite(batch: BatchState, row: NewAcceptedRequest): void {
  const expired = batch.byExternalIdKey.get(row.externalIdKey);
  if (expired) batch.releasedIds.push(expired.id);
  batch.writes.push(row);
  batch.byExternalIdKey.set(row.externalIdKey, row);
  batch.byPartnerReferenceKey.set(row.partnerReferenceKey, row);
}

function recordRejection(
  batch: BatchState,
  command: Command<unknown>,
  rejection: Rejection,
  facts: string | undefined,
): Outcome<unknown> {
  const { keys } = command;
  const { now } = batch.context;
  // No lock keeps it from its copies on other nodes: they are recorded under one id.
  const id = keys && locksNothing(batch, command) ? idOfCopies(keys.signatureKey, keys.sentAt) : command.id;
  if (keys && facts !== undefined) {
    const { partner, service, externalIdKey, partnerReferenceKey, signatureKey, sentAt } = keys;
    const { kind, field } = rejection;
    const row = {
      id,
      partner,
      service,
      externalIdKey,
      partnerReferenceKey,
      signatureKey,
      kind,
      field,
      facts,
      at: now,
      sentAt,
    };
    batch.rejections.push(row);
    batch.rejectionBySignature.set(signatureKey, row);
    // Had an earlier one been sent later, this call had got that rejection.
    addRejection(batch, externalIdKey, row);
  }
  return { kind: "rejection", id, rejection, facts, at: now };
}
