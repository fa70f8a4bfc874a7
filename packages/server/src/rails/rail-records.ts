/**
 * Records that the database keeps for a rail with one writer (docs/reference/rails.md#file-rail): instructions that any
 * node asks to be exported, and the lease of the one that exports them.
 */
import type { Instant, Moment } from "../basics/clock.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { Claimed } from "../store/postgres/claim-rows.ts";
import type { FoundDifference, RailDifferenceRow } from "../store/tables/rail-records/rail-differences.ts";
import type { LeaseState } from "../store/tables/rail-records/rail-leases.ts";
import type { Instruction, RailResult, RailState } from "./rail.ts";

/** Where instructions come from. All but the ledger's id is for information. */
export interface LedgerOrigin {
  /** Random, made once: what of a directory is this database's. */
  readonly ledgerId: string;
  readonly systemIdentifier: string;
  readonly timeline: number;
}

/** Terms that make two submissions one instruction. */
export type InstructionTerms = Omit<Instruction, "validUntil" | "idempotencyKey"> & {
  /** Absent: taken over from a release before there were keys. */
  readonly idempotencyKey?: string | undefined;
};

/** All that a line of a directory says of an instruction: what a record of its payment is made of when the database has none. */
export interface InstructionLine {
  readonly terms: InstructionTerms;
  readonly sequence: number;
  /** ISO 8601. */
  readonly validUntil: string;
  readonly ledgerId: string;
  readonly record: InstructionRecord;
}

/** Null, each: its transfer was not known when the line was written. */
export interface InstructionRecord {
  /** Internal id. */
  readonly partner: string | null;
  /** As the partner calls. */
  readonly partnerId: string | null;
  readonly serviceCode: string | null;
  readonly externalId: string | null;
  readonly partnerReferenceNo: string | null;
  readonly requestFingerprint: string | null;
  /** With decimals, in the currency of the terms. */
  readonly fee: string | null;
  readonly payerAccountNo: string | null;
}

export interface KnownInstruction {
  readonly terms: InstructionTerms;
  readonly validUntil: Instant;
  /** Undefined: it has none yet, or was taken over. */
  readonly sequence: number | undefined;
  readonly isWritten: boolean;
  /** Undefined: nothing was reported. */
  readonly state: RailState | undefined;
}

export interface AskedInstruction {
  readonly instruction: Instruction;
  /** Undefined: no caller waits for its result at this node. */
  readonly awaitedUntil: Instant | undefined;
}

export interface FoundInRecords {
  /** Reason why the rail is stopped; undefined: it is not. */
  readonly stoppedBecause: string | undefined;
  /** False: nobody who has the lease has compared the directory yet. What is not found may be in it. */
  readonly isCompared: boolean;
  readonly instructions: readonly KnownInstruction[];
}

export interface RailRecords {
  /** Cell whose database has them. */
  readonly cell: number;
  readonly rail: RailName;
  origin(): Promise<LedgerOrigin>;
  /** Asks for the export of those whose number and key are new, unless the rail is stopped. */
  ask(asked: readonly AskedInstruction[]): Promise<void>;
  /** Those of the numbers and of the keys. */
  find(wanted: { readonly numbers: readonly string[]; readonly keys?: readonly string[] }): Promise<FoundInRecords>;
  /** Those of the numbers of which a final state was reported. */
  findReported(numbers: readonly string[]): Promise<readonly RailResult[]>;
  /** Asks again for one that expired unwritten, with the commit of another submission. */
  askAgain(referenceNo: string, validUntil: string): Promise<void>;
  /** True: it had no sequence, and no line of it is ever written for who asked so far. */
  withdraw(referenceNo: string): Promise<boolean>;
  /** Positions up to which results are acknowledged, by file. */
  positions(): Promise<ResultPositions>;
  /** Records lines of a directory that an operator lets count as handed over; nothing of them is exported again. */
  recordHandedOver(lines: readonly HandedOverLine[], positions: ResultPositions): Promise<void>;
  /** Where a review of the directory begins. */
  startReview(options: ReviewOptions): Promise<ReviewStart>;
  /** Finds what the database has of the numbers, and lines of them that an operator decided on as carried, or not. */
  findToReview(numbers: readonly string[]): Promise<FoundToReview>;
  /** The next page of written instructions behind a sequence. */
  listWritten(start: ReviewStart, behind: number): Promise<readonly KnownInstruction[]>;
  /** The directory has lines of these numbers. */
  recordFound(numbers: readonly string[]): Promise<void>;
  /** Keeps differences of the directory and the database, each once. One that is ahead stops the rail. */
  recordDifferences(found: readonly FoundDifference[]): Promise<void>;
  /** The directory has lines of these numbers after all: no open difference says that it lacks them. */
  forgetFoundAgain(numbers: readonly string[]): Promise<void>;
  /** A page of those behind an id (from 0). */
  listDifferences(behind: number): Promise<readonly RailDifferenceRow[]>;
  /** State of the lease, as its holder keeps it; undefined: nobody has asked for it ever. */
  readLease(): Promise<LeaseState | undefined>;
  /** Takes the lease; undefined: another instance has it. */
  takeLease(forMs: number): Promise<ExportLease | undefined>;
}

export interface ReviewOptions {
  /** Earliest time of the lines that are counted; undefined: ever. */
  readonly since: Instant | undefined;
  /** True: the reviewer has the lease, so that nobody exports meanwhile. */
  readonly isHolder: boolean;
}

export interface ReviewStart {
  readonly ledgerId: string;
  /** Written instructions are expected in the directory behind this sequence, up to that one. */
  readonly behind: number;
  readonly upTo: number;
  /** As they were written, from then on, and before then; undefined: at any time. */
  readonly since: Instant | undefined;
  readonly before: Instant | undefined;
  /** True: a review found the directory ahead, and no operator has opened the rail since. */
  readonly isAhead: boolean;
  /** True: a review found the directory behind. */
  readonly wasBehind: boolean;
}

export interface FoundToReview {
  readonly known: readonly KnownInstruction[];
  readonly decided: readonly { readonly referenceNo: string; readonly sequence: number }[];
}

/** A line that is in a directory. */
export interface HandedOverLine {
  readonly terms: InstructionTerms;
  readonly sequence: number | undefined;
  /** About when it was written. */
  readonly writtenAt: Instant;
}

/** Offsets in bytes: everything before `upTo` is acknowledged, and the lines that begin at `beyond`. */
export type ResultPositions = Readonly<Record<string, { readonly upTo: number; readonly beyond: readonly number[] }>>;

/** An instruction whose line is to be written. */
export interface AssignedInstruction {
  readonly referenceNo: string;
  readonly validUntil: Instant;
  /** A caller waits for its result, at whichever node. */
  readonly isAwaited: boolean;
  /** All of its line. */
  readonly line: Readonly<Record<string, unknown>>;
}

/** A line of results that nobody can understand. */
export interface BadResultLine {
  readonly file: string;
  /** From 1; 0: the whole file. */
  readonly line: number;
  readonly fault: string;
  readonly text: string;
}

/** Each call is of this lease alone: false, or nothing, once another instance has taken it. */
export interface ExportLease {
  /** Fencing number. */
  readonly fence: number;
  /** The last sequence that was given when it was taken. */
  readonly sequence: number;
  /** The last sequence that was given; undefined: another instance has it. */
  renew(forMs: number): Promise<number | undefined>;
  /** Another instance can take it at once. */
  giveBack(): Promise<void>;
  /** Stops the rail, or starts it (undefined). */
  stop(because: string | undefined): Promise<boolean>;
  areAskedFor(): Promise<boolean>;
  /** Gives those that wait the sequences behind the given one: by a commit that stands before their lines. */
  assign(behind: number, at: Moment): Promise<Claimed<AssignedInstruction>>;
  /** Their lines are durable. */
  recordWritten(numbers: readonly string[]): Promise<boolean>;
  /**
   * Lines that were given to an earlier holder and are not written are written by this one, if they have not expired.
   */
  freeUnwritten(): Promise<void>;
  /** The numbers whose result a caller waits for, at whichever node; undefined: another instance has the lease. */
  recordReports(results: readonly RailResult[]): Promise<readonly string[] | undefined>;
  acknowledge(positions: ResultPositions): Promise<boolean>;
  /** True: it was not there before. */
  setLineAside(line: BadResultLine): Promise<boolean>;
}
