/** Entry for writers of a rail (docs/reference/rails.md): its interface, its terms, and helpers. */
export { escapeControls } from "@titian/contract";
export { type Clock, type Instant, type Moment, elapsedSince, momentOf } from "../basics/clock.ts";
export { businessDay, dateOf } from "../ledger/business-day.ts";
export { nextSettlement } from "../ledger/rails/hours.ts";
export { railNames, type Holidays, type RailData, type RailName, type RailTerms } from "../ledger/rails/terms.ts";
export { createBatches } from "../notify/batch-calls.ts";
export type { Log } from "../observability/log.ts";
export type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";
export { abortable, pause } from "../rails/abortable.ts";
export {
  RailDown,
  isLate,
  type BeneficiaryAnswer,
  type Instruction,
  type Rail,
  type RailRejection,
  type RailResult,
  type RailState,
} from "../rails/rail.ts";
export { railsCommand } from "../rails/rails-command.ts";
export { type AnyInstructionLine, type ReadLine, readInstructionLine } from "../rails/instructions/instruction-line.ts";
export type { FoundDifference, RailDifferenceRow } from "../store/tables/rail-records/rail-differences.ts";
export type { LeaseState } from "../store/tables/rail-records/rail-leases.ts";
export type {
  AskedInstruction,
  AssignedInstruction,
  BadResultLine,
  ExportLease,
  FoundToReview,
  HandedOverLine,
  InstructionTerms,
  KnownInstruction,
  RailRecords,
  ResultPositions,
  ReviewStart,
} from "../rails/rail-records.ts";
