/** Records that the database keeps for a rail with one writer: `RailRecords` on the service's pools. */
import { escapeControls } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import { fromReferenceNo, newId } from "../../basics/ids.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { formatInstant } from "../../rails/instructions/instruction.ts";
import { readTraceNo } from "../../rails/results/parse-result.ts";
import type { RailResult, RailState } from "../../rails/rail.ts";
import type {
  AskedInstruction,
  ExportLease,
  HandedOverLine,
  InstructionTerms,
  KnownInstruction,
  LedgerOrigin,
  RailRecords,
  ReviewOptions,
  ReviewStart,
} from "../../rails/rail-records.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { countSubmitted } from "../../store/reads/transfers.ts";
import { readTimeline } from "../../store/reads/timeline.ts";
import { claimState, readState } from "../../store/reference/service-state.ts";
import {
  forgetFoundAgain,
  listDifferences,
  listDecided,
  recordDifferences,
} from "../../store/tables/rail-records/rail-differences.ts";
import {
  areAskedFor,
  assignSequences,
  freeUnwritten,
  recordReports,
  recordWritten,
} from "../../store/tables/rail-records/rail-exports.ts";
import {
  askAgain,
  askForExport,
  findRailInstructions,
  findReported,
  type HandedOverInstruction,
  listWritten,
  type NewRailInstruction,
  type RailInstructionRow,
  recordFoundLines,
  recordHandedOver,
  type ReportedRow,
  withdrawInstruction,
} from "../../store/tables/rail-records/rail-instructions.ts";
import {
  addLease,
  giveBackLease,
  type LeaseTerms,
  readForReview,
  readLease,
  releaseWritten,
  renewLease,
  type ReviewedLease,
  stopExport,
  type TakenLease,
  takeLease,
} from "../../store/tables/rail-records/rail-leases.ts";
import {
  addResultPositions,
  readResultPositions,
  setLineAside,
  writeResultPositions,
} from "../../store/tables/rail-records/rail-result-files.ts";
import { toAssigned } from "./assigned-line.ts";

export interface RailRecordsDeps {
  /** Cell of the database. */
  readonly cell: number;
  /** For reads. */
  readonly pool: StatementPool;
  /** For plain statements that write. */
  readonly adminPool: StatementPool;
  readonly clock: Pick<Clock, "real">;
}

const ledgerIdName = "ledgerId";
const assignedMax = 256;
const reviewedMax = 1_000;
/** Time in which records of a node beside a review may have come behind the review's reading; clocks differ by less. */
const unsettledMs = 10_000;

export function railRecords({ cell, pool, adminPool, clock }: RailRecordsDeps, rail: RailName): RailRecords {
  const holder = newId();
  let origin: Promise<LedgerOrigin> | undefined;
  const findOrigin = async (): Promise<LedgerOrigin> => {
    const known = await readState(pool, ledgerIdName);
    const ledgerId = String(known ?? (await claimState(adminPool, ledgerIdName, newId())));
    return { ledgerId, ...(await readTimeline(pool)) };
  };
  const originOf = () => {
    origin ??= findOrigin();
    origin.catch(() => {
      origin = undefined;
    });
    return origin;
  };
  return {
    cell,
    rail,
    origin: originOf,
    ask: (instructions) => askForExport(adminPool, rail, instructions.map(toRow)),
    // Not from a pool of reads: what was just asked for must be found.
    find: async (wanted) => {
      const found = await findRailInstructions(adminPool, rail, wanted);
      return { ...found, instructions: found.instructions.map(toKnown) };
    },
    findReported: async (numbers) => (await findReported(pool, rail, numbers)).map(toResult),
    askAgain: (referenceNo, validUntil) => askAgain(adminPool, rail, { referenceNo, validUntil, now: clock.real() }),
    withdraw: (referenceNo) => withdrawInstruction(adminPool, rail, referenceNo),
    positions: () => readResultPositions(adminPool, rail),
    recordHandedOver: async (lines, positions) => {
      await addLease(adminPool, rail);
      for (let at = 0; at < lines.length; at += assignedMax) {
        const rows = lines.slice(at, at + assignedMax).map(toHandedOver);
        await recordHandedOver(adminPool, rail, rows);
      }
      await addResultPositions(adminPool, rail, positions);
    },
    startReview: async (options) => {
      await addLease(adminPool, rail);
      return toReviewStart((await originOf()).ledgerId, options, {
        lease: await readForReview(adminPool, rail, options.since),
        now: clock.real(),
      });
    },
    findToReview: async (numbers) => ({
      known: (await findRailInstructions(adminPool, rail, { numbers })).instructions.map(toKnown),
      decided: await listDecided(adminPool, rail, numbers),
    }),
    listWritten: async (start, behind) =>
      (await listWritten(adminPool, rail, { ...start, behind, limit: reviewedMax })).map(toKnown),
    recordFound: (numbers) => recordFoundLines(adminPool, rail, numbers, clock.real()),
    recordDifferences: (found) => recordDifferences(adminPool, rail, found, clock.real()),
    forgetFoundAgain: (numbers) => forgetFoundAgain(adminPool, rail, numbers),
    listDifferences: (behind) => listDifferences(adminPool, rail, { behind, limit: assignedMax }),
    readLease: () => readLease(adminPool, rail),
    takeLease: async (forMs) => {
      await addLease(adminPool, rail);
      const taken = await takeLease(adminPool, { rail, holder, forMs });
      const terms = { rail, holder, fence: taken?.fence ?? 0 };
      return taken && leaseOf({ pool: adminPool, clock, origin: await originOf() }, terms, taken);
    },
  };
}

interface LeaseDeps extends Pick<RailRecordsDeps, "pool" | "clock"> {
  readonly origin: LedgerOrigin;
}

function leaseOf({ pool, clock, origin }: LeaseDeps, terms: LeaseTerms, taken: TakenLease): ExportLease {
  const { rail } = terms;
  return {
    ...taken,
    renew: (forMs) => renewLease(pool, terms, forMs),
    giveBack: () => giveBackLease(pool, terms),
    stop: (because) => stopExport(pool, terms, because),
    areAskedFor: () => areAskedFor(pool, rail, clock.real()),
    assign: async (sequence, at) => {
      const assignment = { sequence, limit: assignedMax, now: at.real, at };
      const { rows, commit } = await assignSequences(pool, terms, assignment, fromReferenceNo);
      return { rows: rows.map((row) => toAssigned(row, terms, origin)), commit };
    },
    recordWritten: (numbers) => recordWritten(pool, terms, numbers, clock.real()),
    freeUnwritten: () => freeUnwritten(pool, terms),
    recordReports: (results) => recordReports(pool, terms, results.map(toReport), clock.real()),
    acknowledge: (positions) => writeResultPositions(pool, terms, positions),
    setLineAside: (line) =>
      setLineAside(
        pool,
        rail,
        { ...line, file: escapeControls(line.file), text: escapeControls(line.text) },
        clock.real(),
      ),
  };
}

function toReviewStart(
  ledgerId: string,
  { since, isHolder }: ReviewOptions,
  { lease, now }: { readonly lease: ReviewedLease; readonly now: number },
): ReviewStart {
  const { sequence: upTo, releasedSequence, first = Infinity, isAhead, wasBehind } = lease;
  return {
    ledgerId,
    behind: Math.max(releasedSequence, Math.min(upTo, first - 1)),
    upTo,
    since,
    // Another node may take the lease at any time, and write.
    before: isHolder ? undefined : now - unsettledMs,
    isAhead,
    wasBehind,
  };
}

function toRow({ instruction, awaitedUntil }: AskedInstruction): NewRailInstruction {
  const { validUntil, ...terms } = instruction;
  const { referenceNo, idempotencyKey } = terms;
  const until = awaitedUntil === undefined ? undefined : formatInstant(awaitedUntil);
  return { referenceNo, idempotencyKey, terms: JSON.stringify(terms), validUntil, awaitedUntil: until };
}

function toHandedOver({ terms, sequence, writtenAt }: HandedOverLine): HandedOverInstruction {
  const { referenceNo, idempotencyKey } = terms;
  return { referenceNo, idempotencyKey, terms: JSON.stringify(terms), sequence, writtenAt };
}

function toKnown(row: RailInstructionRow): KnownInstruction {
  const { validUntil, sequence, isWritten } = row;
  return { terms: JSON.parse(row.terms) as InstructionTerms, validUntil, sequence, isWritten, state: stateOf(row) };
}

function toResult(row: ReportedRow): RailResult {
  return { referenceNo: row.referenceNo, state: stateOf(row) ?? { kind: "pending" } };
}

function stateOf({ state, rejection, traceNo }: ReportedRow): RailState | undefined {
  if (state === undefined) return undefined;
  // As it was recorded from a state.
  return { kind: state, ...(rejection && { rejection }), ...(traceNo && { traceNo }) } as RailState;
}

function toReport({ referenceNo, state }: RailResult) {
  const rejection = state.kind === "rejected" ? state.rejection : undefined;
  return { referenceNo, state: state.kind, rejection, traceNo: readTraceNo(state) };
}

/**
 * The directory need not have what was written so far. Not while transfers may be in it: their number is returned then, and
 * nothing is changed.
 */
export async function releaseDirectory(
  { pool, adminPool }: Pick<RailRecordsDeps, "pool" | "adminPool">,
  rail: RailName,
): Promise<number> {
  const submitted = await countSubmitted(pool, rail);
  if (submitted === 0) await releaseWritten(adminPool, rail);
  return submitted;
}
