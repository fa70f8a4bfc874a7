/** Finds the transfer that a result of a rail is of. */
import { fromReferenceNo } from "../basics/ids.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { RailTransfer } from "../ledger/transfers/transfer.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { findTransfer } from "../store/reads/transfers.ts";
import { findDifference } from "../store/tables/rail-records/rail-differences.ts";
import { readRequestKeys } from "../store/tables/requests/request-keys.ts";
import { readForgotten } from "./adoption/forgotten.ts";
import { findKnown } from "./results/record-result.ts";

/**
 * That of the number; else the partner's repeat, if the line of the number was adopted as one payment with it (ADR 0061). Undefined:
 * the rail has none.
 */
export async function findReported(
  reads: StatementPool,
  rail: RailName,
  referenceNo: string,
): Promise<RailTransfer | undefined> {
  const transfer = (await findKnown(reads, referenceNo)) ?? (await findRepeat(reads, rail, referenceNo));
  return transfer?.rail === rail ? transfer : undefined;
}

async function findRepeat(
  reads: StatementPool,
  rail: RailName,
  referenceNo: string,
): Promise<RailTransfer | undefined> {
  // No line of ours has another form; PostgreSQL takes no text with a NUL.
  if (fromReferenceNo(referenceNo) === undefined) return undefined;
  const found = await findDifference(reads, rail, referenceNo);
  if (found?.decision !== "adopted") return undefined;
  const read = readForgotten(rail, found.line);
  const id = read.ok ? (await readRequestKeys(reads, [read.payment.partnerReferenceKey])).get(0) : undefined;
  return id === undefined ? undefined : findTransfer(reads, id);
}
