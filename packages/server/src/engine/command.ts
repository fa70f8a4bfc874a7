/**
 * A command is the only way to change money, keys or accounts. It declares its locks and decides purely;
 * the engine loads, applies, writes and commits (docs/reference/engine.md).
 */
import type { Instant } from "../basics/clock.ts";
import type { Act } from "../ledger/act.ts";
import type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";
import type { Decision, Rejection } from "../ledger/rejection.ts";
import type { NewNotification } from "../store/tables/notifications/outbox.ts";
import type { AcceptedRequest } from "../store/tables/requests/accepted-requests.ts";
import type { AdoptedInstruction } from "../store/tables/rail-records/rail-adoptions.ts";
import type { Reference } from "../ledger/reference/reference-data.ts";
import type { LockedRows, Locks, RowEffect } from "./rows/lock-order.ts";

/** Keys of a request that identify repeats (spec D7): hashes of 16 bytes as uuid, without any time. */
export interface DuplicateKeys {
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly externalId: string;
  readonly externalIdKey: string;
  readonly partnerReferenceKey: string;
  readonly signatureKey: string;
  /** `X-TIMESTAMP` (epoch ms). */
  readonly sentAt: number;
  readonly bodyHash: string;
  readonly requestFingerprint: string;
}

export interface Context {
  /** Business time of the batch (epoch ms). */
  readonly now: Instant;
  readonly reference: Reference;
}

/** Changes of a decided command. The engine numbers entries and computes balances. */
export interface Effect<Payload> extends RowEffect {
  /** JSON-able; kept with the write, so that first response and later repeats are built alike. */
  readonly payload: Payload;
  /** Notifications to partners. */
  readonly notifications?: readonly NewNotification[];
  /** The approved act by which its money moves, where no request or rail says so. */
  readonly act?: Act;
  /** Instructions that a rail was handed, and the database had forgotten; only administration may write them. */
  readonly adopted?: readonly AdoptedInstruction[];
}

export interface Command<Payload> {
  /** UUIDv7 made before queueing; after a lost commit the command finds itself by it. */
  readonly id: string;
  /** Real time (epoch ms) until which its caller waits. */
  readonly deadline: number;
  /** Real time at which its `X-TIMESTAMP` leaves the window; a command still queued then is dropped. */
  readonly windowEndsAt?: number;
  /** Partner whose turn it takes in the queue; absent for a job. */
  readonly partner?: string;
  /** Absent for jobs and administration, whose state guard is enough. */
  readonly keys?: DuplicateKeys;
  /** Free-form parts as received, as one JSON text; kept once. */
  readonly freeForm?: string;
  /** JSON text recorded with a rejection; absent: rejections are not recorded. */
  readonly rejectionPayload?: (found: LockedRows, context: Context) => string;
  /** True when the request under the same number, with other bytes, has the same content (spec D7). Absent: never. */
  readonly hasSameContent?: (payload: string, context: Context) => boolean;
  /**
   * It writes a request back that the database has forgotten, under its old id: its number alone says whether it is there, and
   * an external id that a later request has used since stays with that one.
   */
  readonly restores?: true;
  /** It tells repeats alone: a key that is fenced (docs/adr/0100-rebound-keys.md) is no request's. Absent: it is taken. */
  readonly passesFences?: true;
  readonly locks: Locks;
  decide(found: LockedRows, context: Context): Decision<Effect<Payload>>;
}

/** Kind of a repeat: by external id, or by partner reference number. */
export type RepeatKind = "sameCall" | "externalIdTaken" | "sameNumber" | "numberTaken";

/** A command as it was decided; what an effect's commit proves is known after it. */
export type Unconfirmed<Payload> =
  | { readonly kind: "effect"; readonly id: string; readonly payload: Payload; readonly at: Instant }
  /** `payload` is the text recorded with it, if it is recorded: a copy of the call is answered from the same. */
  | {
      readonly kind: "rejection";
      readonly id: string;
      readonly rejection: Rejection;
      readonly payload: string | undefined;
      readonly at: Instant;
      /** It was given to a send of the same external id, or number and content, that was signed no earlier; this one was not decided. */
      readonly isOfAnotherSend?: true;
      /** None of its declared rows exists: no lock ordered it with an older send of the same external id. */
      readonly lockedNothing?: true;
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "repeat"; readonly repeat: RepeatKind; readonly original: AcceptedRequest }
  /** Nothing was changed: the queue was full, or the time ran out before anything was sent. */
  | { readonly kind: "overloaded" }
  /** A commit was sent and not answered: repeat with the same external id. */
  | { readonly kind: "unknown" }
  /** PostgreSQL cannot write it now, and an operator can help: a full disk, a missing right. Nothing was changed. */
  | { readonly kind: "unavailable"; readonly error: unknown }
  /** It cannot be decided or written; nothing was changed. */
  | { readonly kind: "failed"; readonly error: unknown };

/** An effect with the proof of its commit, sent when the first one was that may contain it. */
export type Outcome<Payload> =
  | Exclude<Unconfirmed<Payload>, { readonly kind: "effect" }>
  | (Extract<Unconfirmed<Payload>, { readonly kind: "effect" }> & { readonly commit: ConfirmedCommit });

export type { ConfirmedCommit };

/** A decision that was given up. The engine retries the command; no caller sees it. */
export type GivenUp =
  /** It needs this account locked, too. */
  | { readonly kind: "missingLock"; readonly accountNo: string }
  /** It needs this row, which another transaction has locked. */
  | { readonly kind: "locked"; readonly row: string }
  /** With the rows it writes the batch would write more than one may. */
  | { readonly kind: "full"; readonly rows: number };
