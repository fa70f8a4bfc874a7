/** Submits a transfer to its rail soon after its commit, or not at all (spec D11). */
import { elapsedSince } from "../basics/clock.ts";
import type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import { submissionValidMs } from "../ledger/transfers/transfer.ts";
import { callRail, type RailResponse } from "./call-rail.ts";
import type { DispatchDeps } from "./results/record-result.ts";
import type { KeptTransfer } from "../interfaces/transfer-sender.ts";
import { instructionOf } from "./instructions/instruction.ts";

/**
 * `commit`: of its submission, or of its claim. late: nothing was submitted, because an operator may have
 * rejected the transfer meanwhile; reconciliation inquires first.
 */
export async function submit(
  deps: DispatchDeps,
  rail: RailName,
  transfer: KeptTransfer,
  commit: ConfirmedCommit,
): Promise<RailResponse | { readonly kind: "late" | "notReceived" }> {
  if (elapsedSince(commit.sentAt, deps.clock) > submissionValidMs) {
    deps.events.late(rail, transfer.id);
    return { kind: "late" };
  }
  const instruction = instructionOf(transfer, commit.sentAt.real + submissionValidMs);
  return callRail(deps, rail, (by, signal) => by.submit(instruction, signal, commit));
}
