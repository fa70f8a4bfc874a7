/** The pure part of a batch: from loaded rows to rows to write and outcomes. */
import type { Instant } from "../../basics/clock.ts";
import type { Act } from "../../ledger/act.ts";
import type { Rejection } from "../../ledger/rejection.ts";
import { type CarriedAct, describeEntries } from "../../store/tables/acts.ts";
import type { AdoptedInstruction } from "../../store/tables/rail-records/rail-adoptions.ts";
import type { NewRejectedRequest, RejectedRequest } from "../../store/tables/requests/rejected-requests.ts";
import type { NewAcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import type { RequestKey } from "../../store/tables/requests/request-keys.ts";
import type { NewNotification } from "../../store/tables/notifications/outbox.ts";
import type { Command, Context, DuplicateKeys, Effect, GivenUp, Unconfirmed } from "../command.ts";
import { AccountNotLocked } from "../rows/accounts.ts";
import type { LoadedRows } from "../rows/lock-order.ts";
import {
  addRejection,
  findRepeat,
  type FoundRequests,
  indexKnown,
  type KnownRequests,
  nextRejected,
  ordersOf,
  rejectedBefore,
} from "./duplicates.ts";
import { idOfCopies } from "./idempotency-keys.ts";
import type { LockedNames } from "../rows/row-kind.ts";
import { createWorkingSet, RowLocked, type WorkingSet } from "../rows/working-set.ts";

/** Commands of a batch with the rows found for them; keys are looked up in the order of `keyed`. */
export interface Loaded extends LoadedRows, FoundRequests {
  /** Rows that were passed over, because another transaction has locked them. */
  readonly locked: LockedNames;
}

export interface BatchDecision {
  readonly outcomes: readonly (Unconfirmed<unknown> | GivenUp)[];
  readonly workingSet: WorkingSet;
  readonly writes: readonly NewAcceptedRequest[];
  readonly rejections: readonly NewRejectedRequest[];
  /** External ids of old requests that this batch uses again. */
  readonly releasedKeys: readonly RequestKey[];
  readonly notifications: readonly NewNotification[];
  readonly acts: readonly CarriedAct[];
  readonly adopted: readonly AdoptedInstruction[];
}

const overloaded: Unconfirmed<unknown> = { kind: "overloaded" };

interface BatchState extends KnownRequests {
  readonly workingSet: WorkingSet;
  readonly rowsMax: number;
  /** Rows it writes so far. */
  rows: number;
  readonly writes: NewAcceptedRequest[];
  readonly rejections: NewRejectedRequest[];
  readonly releasedKeys: RequestKey[];
  readonly notifications: NewNotification[];
  readonly acts: CarriedAct[];
  readonly adopted: AdoptedInstruction[];
}

/** The commands whose keys a batch looks up, in the order of the look-up. */
export function keyed(commands: readonly Command<unknown>[]): readonly DuplicateKeys[] {
  return commands.flatMap((command) => (command.keys ? [command.keys] : []));
}

/** Commands that were overtaken by time while they waited, by position in the batch. */
export interface Waited {
  /** Its caller was answered already: it is skipped. */
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
    ...indexKnown(keyed(commands), loaded),
    writes: [],
    rejections: [],
    releasedKeys: [],
    notifications: [],
    acts: [],
    adopted: [],
  };
  const outcomes = commands.map((command, position) =>
    waited.isAnswered(position) ? overloaded : decideOne(batch, command, waited.isLate(position)),
  );
  const { workingSet, writes, rejections, releasedKeys, notifications, acts, adopted } = batch;
  return { outcomes, workingSet, writes, rejections, releasedKeys, notifications, acts, adopted };
}

function decideOne(batch: BatchState, command: Command<unknown>, isLate: boolean): Unconfirmed<unknown> | GivenUp {
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
): Unconfirmed<unknown> | GivenUp {
  try {
    const known = command.keys && findRepeat(batch, command, command.keys);
    const next = known ? undefined : nextRejected(batch, command);
    // Rejected before, it still needs the locks of its rows: their holder may be accepting an older send of its id.
    if (next || known?.kind === "rejection") batch.workingSet.lockedRowsFor(command.locks);
    if (known) return known;
    if (next && command.keys) return recordRejectionOfAnother(batch, command, command.keys, next);
    if (isLate) return overloaded;
    const found = batch.workingSet.lockedRowsFor(command.locks);
    const decision = command.decide(found, batch.context);
    switch (decision.kind) {
      case "nothing":
        return decision;
      case "rejection":
        return recordRejection(batch, command, decision.rejection, command.rejectionPayload?.(found, batch.context));
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

function accept(batch: BatchState, command: Command<unknown>, effect: Effect<unknown>): Unconfirmed<unknown> | GivenUp {
  const { now } = batch.context;
  // All that may throw precedes changes of the working set: a payload that is no JSON must not leave money moved.
  const row = command.keys && writeOf(command, command.keys, JSON.stringify(effect.payload), now);
  const prepared = batch.workingSet.prepare(effect, command.id, command.keys?.partnerReferenceKey);
  const { notifications = [], act, adopted = [] } = effect;
  const rows = prepared.rows + notifications.length + (row ? 1 : 0) + (act ? 1 : 0) + adopted.length;
  if (batch.rows + rows > batch.rowsMax) return { kind: "full", rows };
  batch.rows += rows;
  prepared.apply();
  if (row) recordWrite(batch, row, command.restores);
  batch.notifications.push(...notifications);
  for (const one of adopted) batch.adopted.push(one);
  if (act) recordAct(batch, act, command.id);
  return { kind: "effect", id: command.id, payload: effect.payload, at: now };
}

function recordAct({ acts, workingSet }: BatchState, act: Act, journalId: string): void {
  const { id } = act;
  const entries = entriesOf(workingSet, journalId);
  acts.push({ id, journalId, entries });
  workingSet.rows.accounts.acts.set(id, entries);
}

function entriesOf({ rows: { accounts } }: WorkingSet, journalId: string): string {
  const ofJournal = accounts.entries.filter((entry) => entry.journalId === journalId);
  return describeEntries(
    ofJournal.map((entry) => ({ ...entry, accountNo: accounts.byId(entry.accountId)?.accountNo ?? "" })),
  );
}

function writeOf(command: Command<unknown>, keys: DuplicateKeys, payload: string, at: Instant): NewAcceptedRequest {
  return {
    id: command.id,
    partner: keys.partner,
    service: keys.service,
    externalId: keys.externalId,
    externalIdKey: keys.externalIdKey,
    partnerReferenceKey: keys.partnerReferenceKey,
    bodyHash: keys.bodyHash,
    requestFingerprint: keys.requestFingerprint,
    payload,
    freeForm: command.freeForm,
    at,
  };
}

function recordWrite(batch: BatchState, row: NewAcceptedRequest, restores?: true): void {
  const expired = batch.byExternalIdKey.get(row.externalIdKey);
  if (restores && expired && expired.id > row.id) {
    batch.writes.push({ ...row, isExternalIdTaken: true });
  } else {
    if (expired) batch.releasedKeys.push({ key: row.externalIdKey, requestId: expired.id });
    batch.writes.push(row);
    batch.byExternalIdKey.set(row.externalIdKey, row);
  }
  batch.byPartnerReferenceKey.set(row.partnerReferenceKey, row);
}

function recordRejection(
  batch: BatchState,
  command: Command<unknown>,
  rejection: Rejection,
  payload: string | undefined,
): Unconfirmed<unknown> {
  const { keys } = command;
  const { now } = batch.context;
  const id = idOfRejection(batch, command);
  if (keys && payload !== undefined) {
    const { partner, service, externalIdKey, partnerReferenceKey, requestFingerprint, signatureKey, sentAt } = keys;
    const { kind, field } = rejection;
    const row = {
      id,
      partner,
      service,
      externalIdKey,
      partnerReferenceKey,
      requestFingerprint,
      signatureKey,
      kind,
      field,
      payload,
      at: now,
      sentAt,
      ofAnotherSend: undefined,
    };
    addRecorded(batch, row, keys);
  }
  return { kind: "rejection", id, rejection, payload, at: now };
}

/**
 * Recorded for copies of the call, which would get another rejection once one of a send in between is recorded, and for older
 * sends of the call's own orders: they get it, too, and are not accepted behind a rejected repeat.
 */
function recordRejectionOfAnother(
  batch: BatchState,
  command: Command<unknown>,
  keys: DuplicateKeys,
  other: RejectedRequest,
): Unconfirmed<unknown> {
  const { partner, externalIdKey, partnerReferenceKey, requestFingerprint, signatureKey, sentAt } = keys;
  const row = {
    ...other,
    id: idOfRejection(batch, command),
    partner,
    externalIdKey,
    partnerReferenceKey,
    requestFingerprint,
    signatureKey,
    sentAt,
    ofAnotherSend: other.ofAnotherSend ?? other.id,
  };
  addRecorded(batch, row, keys);
  return rejectedBefore(row, keys);
}

function addRecorded(batch: BatchState, row: NewRejectedRequest, keys: DuplicateKeys): void {
  batch.rejections.push(row);
  batch.rejectionBySignature.set(row.signatureKey, row);
  for (const order of ordersOf(keys)) addRejection(batch, order, row);
}

function idOfRejection(batch: BatchState, command: Command<unknown>): string {
  const { id, keys } = command;
  // No lock keeps it from its copies on other nodes: they are recorded under one id.
  return keys && locksNothing(batch, command) ? idOfCopies(keys.signatureKey, keys.sentAt) : id;
}
