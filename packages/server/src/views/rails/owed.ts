/**
 * Payments that were written back, and that their payers could not be debited with
 * (docs/reference/rails.md#adopt-what-was-forgotten).
 */
import { toReferenceNo } from "../../basics/ids.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { listOwed, type OwedPayment } from "./owed-rows.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface OwedSummary extends Omit<OwedPayment, "id" | "partner"> {
  /** referenceNo of the transfer, or bulkId. */
  readonly referenceNo: string;
  readonly partnerId: string;
}

/** The oldest first. */
export async function listOwedPayments(
  deps: QueryDeps,
  { rail, limit }: { readonly rail?: RailName | undefined; readonly limit: number },
): Promise<readonly OwedSummary[]> {
  const { rails } = deps.reference.current().rails;
  const currencies = [...new Set(Object.values(rails).map(({ currency }) => currency))];
  const owed = await listOwed(deps.pool, { rail, currencies, limit });
  return owed.map(({ id, partner, ...rest }) => ({
    referenceNo: toReferenceNo(id),
    partnerId: partnerIdOf(deps, partner),
    ...rest,
  }));
}
