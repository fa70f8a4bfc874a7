/**
 * A command is the only way to change money, keys or accounts. It says what to lock and decides purely;
 * the engine loads, applies, writes and commits (docs/engine.md).
 */
import type { Instant } from "../clock.ts";
import type { Account, DailyUse } from "../ledger/accounts/account.ts";
import type { Capture, Hold, HoldChange } from "../ledger/holds/hold.ts";
import type { Posting } from "../ledger/posting.ts";
import type { InternalPurpose } from "../ledger/accounts/internal-accounts.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { RailTransfer } from "../ledger/transfers/transfer.ts";
import type { Decision, Rejection } from "../ledger/rejection.ts";
import type { OutboxEvent } from "../store/tables/outbox.ts";
import type { WriteRow } from "../store/tables/accepted-requests.ts";
import type { Reference } from "./reference-data.ts";

/** What a repeat is recognised by (spec D7). Keys and hashes are 16 bytes as uuid; no time is part of any. */
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

/** Rows the batch locks for this command before it decides. Reading any other row is a bug and throws. */
export interface Locks {
  readonly accountNumbers?: readonly string[];
  readonly accountIds?: readonly string[];
  /** One hold, with its payer's and its settlement account. */
  readonly hold?: HoldLock;
  /** Id of a transfer that left the bank. Its accounts are declared like any other. */
  readonly transferId?: string;
  /** Of these accounts, declared by their numbers: whether transfers of theirs await a result. */
  readonly openTransfersOf?: readonly string[];
}

/** A hold by its id, or by the number key of the write that placed it. */
export interface HoldLock {
  readonly id?: string;
  readonly partnerReferenceKey?: string;
  /** Also the named capture; where none is named, all of which something can be refunded. */
  readonly captures?: { readonly named?: string | undefined };
}

/** A hold as it was locked, with its accounts; its captures only where they were asked for. */
export interface FoundHold {
  readonly hold: Hold;
  readonly payer: Account;
  readonly settlement: Account;
  readonly captures: readonly Capture[];
}

/** The locked rows, as earlier commands of the same batch left them. */
export interface LockedRows {
  account(accountNo: string): Account | undefined;
  accountById(id: string): Account | undefined;
  /** The hold the command's locks name. */
  hold(): FoundHold | undefined;
  /** The transfer the command's locks name. */
  transfer(): RailTransfer | undefined;
  /** Whether transfers from the account await a result. */
  hasOpenTransfers(accountNo: string): boolean;
  /**
   * One of our own accounts. It need not be declared: a decision that reaches for one which is not locked is given up,
   * and the command is retried with it.
   */
  internalAccount(purpose: InternalPurpose, currency: string, rail?: RailName): Account | undefined;
}

export interface Context {
  /** Business time of the batch (epoch ms). */
  readonly now: Instant;
  readonly reference: Reference;
}

/** What a decided command changes. The engine numbers entries and computes balances. */
export interface Effect<Facts> {
  /** JSON-able; kept with the write, so that first answer and later repeats are built alike. */
  readonly facts: Facts;
  readonly postings?: readonly Posting[];
  readonly dailyUses?: readonly { readonly account: string; readonly use: DailyUse }[];
  /** New accounts, with nothing on them; postings of the same effect may name them. */
  readonly newAccounts?: readonly Account[];
  /** Accounts whose terms (name, status, partners, minimumBalance, limits) change. */
  readonly changes?: readonly Account[];
  /** New holds, with nothing taken from them yet: their money is held on the payer's account. */
  readonly newHolds?: readonly Hold[];
  /** Holds as they become, with a line for each thing that happened; what they release is no longer held. */
  readonly holds?: readonly HoldChange[];
  /** New transfers that leave the bank. */
  readonly newTransfers?: readonly RailTransfer[];
  /** Transfers as they become, each still at the version it was decided on. */
  readonly transfers?: readonly RailTransfer[];
  /** What partners are to be told. */
  readonly notifications?: readonly OutboxEvent[];
}

export interface Command<Facts> {
  /** UUIDv7 made before queueing; after a lost commit the command finds itself by it. */
  readonly id: string;
  /** Real time (epoch ms) at which its caller stops waiting. */
  readonly deadline: number;
  /** Real time at which its `X-TIMESTAMP` leaves the window; a command still queued then is dropped. */
  readonly windowEndsAt?: number;
  /** Whose turn it takes in the queue; absent for a job. */
  readonly partner?: string;
  /** Absent for jobs and administration, whose state guard is enough. */
  readonly keys?: DuplicateKeys;
  /** Free-form parts as received, as one JSON text; kept once. */
  readonly freeForm?: string;
  /** JSON text recorded with a rejection; absent: rejections are not recorded. */
  readonly rejectionFacts?: (found: LockedRows, context: Context) => string;
  /** Whether the facts of the write that holds its number say the same in other words (spec D7). Absent: never. */
  readonly hasSameContent?: (facts: string, context: Context) => boolean;
  readonly locks: Locks;
  /** Called each time before a commit that may hold it is sent. */
  readonly beforeCommit?: () => void;
  decide(found: LockedRows, context: Context): Decision<Effect<Facts>>;
}

/** Why a call is answered as a repeat: by its external id, or by its partner's number. */
export type RepeatKind = "sameCall" | "externalIdTaken" | "sameNumber" | "numberTaken";

export type Outcome<Facts> =
  | { readonly kind: "effect"; readonly id: string; readonly facts: Facts; readonly at: Instant }
  /** `facts` is the text recorded with it, if it is recorded: a copy of the call is answered from the same. */
  | {
      readonly kind: "rejection";
      readonly id: string;
      readonly rejection: Rejection;
      readonly facts: string | undefined;
      readonly at: Instant;
      /** None of the rows it declared is there: nothing kept an older send of the same external id from being accepted. */
      readonly lockedNothing?: true;
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "repeat"; readonly repeat: RepeatKind; readonly original: WriteRow }
  /** Nothing was taken: the queue was full, or the time ran out before anything was sent. */
  | { readonly kind: "overloaded" }
  /** A commit was sent and its answer never came: repeat with the same external id. */
  | { readonly kind: "unknown" }
  /** It alone cannot be decided or written; nothing was taken. */
  | { readonly kind: "failed"; readonly error: unknown };

/** A decision that was given up, with nothing taken. The engine retries the command; no caller sees it. */
export type GivenUp =
  /** It needs this account locked, too. */
  | { readonly kind: "needs"; readonly accountNo: string }
  /** It needs this row, which somebody else has locked. */
  | { readonly kind: "locked"; readonly row: string }
  /** With the rows it writes the batch would write more than one may. */
  | { readonly kind: "full"; readonly rows: number };
