/**
 * Records the responses of rails, each step durable before the next: a transfer gets exactly one final result, also when a
 * node dies in between (spec D11). No transaction is open while a rail is called, and no timer ever rejects what a rail has
 * not rejected.
 */
import type { Clock } from "../../basics/clock.ts";
import type { ConfirmedCommit } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { fromReferenceNo } from "../../basics/ids.ts";
import { submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { firstResult, type TransferResult } from "../../ledger/transfers/first-result.ts";
import type { TransferEvent } from "../../ledger/transfers/states.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import type { DispatchEvents } from "../dispatch-events.ts";
import { type KnownTransfer, type RailEvent, railEventCommand } from "../commands/event-command.ts";
import type { Rail, RailState } from "../rail.ts";
import type { RailCalls } from "../bounded-calls.ts";
import { readTraceNo, railRejectionKind } from "./parse-result.ts";
import type { PendingResponses } from "./pending-responses.ts";
import { type Recorded, recordMaxMs, type SettleTogether } from "./settle-together.ts";
import { type KeepResult, type ReportedState, setConflictAside } from "./set-aside.ts";

export interface DispatchDeps {
  /** For plain statements that claim transfers. */
  readonly database: StatementPool;
  readonly keepResult: KeepResult;
  readonly rails: Readonly<Record<RailName, Rail>>;
  readonly engine: Engine;
  /** For what is done by an act (`Core`). */
  readonly actEngine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
  /** A transfer as a caller may be told of it: once a later commit is confirmed. Undefined also where too many reads wait. */
  readonly findConfirmed: (id: string) => Promise<RailTransfer | undefined>;
  readonly pendingResponses: PendingResponses;
  readonly settleTogether: SettleTogether;
  readonly events: DispatchEvents;
  readonly calls: RailCalls;
  /** True: an operator has closed the rail, and nothing is submitted to it. */
  readonly isClosed: (rail: RailName) => boolean;
}

/**
 * Records a result, and responds to the caller if it still waits. Repeating it is harmless; if it fails, the transfer
 * stays due.
 */
export async function recordResponse(deps: DispatchDeps, known: KnownTransfer, state: RailState): Promise<boolean> {
  const traceNo = readTraceNo(state);
  switch (state.kind) {
    case "pending":
      return isRecorded(await recordRailEvent(deps, known, { event: "acknowledge", traceNo, by: "rail" }));
    case "settled":
      return recordSettlement(deps, known, traceNo);
    case "rejected":
      return recordFinalResult(deps, known, {
        event: "reject",
        traceNo,
        rejection: railRejectionKind(state.rejection),
        by: "rail",
      });
    case "returned":
      // A rail may report the return alone: the transfer had been settled.
      return (
        (await recordSettlement(deps, known, traceNo)) &&
        isRecorded(await recordRailEvent(deps, known, { event: "return", traceNo, by: "rail" }))
      );
  }
}

/** Records a final result. True once it is recorded. */
export function recordFinalResult(deps: DispatchDeps, known: KnownTransfer, railEvent: RailEvent): Promise<boolean> {
  return recordAndRespond(deps, known, (isResolvedSynchronously) =>
    recordRailEvent(deps, known, { ...railEvent, isResolvedSynchronously }),
  );
}

/** The same of what the rail settled, with others where there are any. */
function recordSettlement(deps: DispatchDeps, known: KnownTransfer, traceNo: string | undefined): Promise<boolean> {
  return recordAndRespond(deps, known, (isResolvedSynchronously) => {
    const result = { traceNo, isResolvedSynchronously };
    return deps.settleTogether.record({ known, ...result }, (forMs) =>
      recordRailEvent(deps, known, { event: "settle", by: "rail", ...result }, forMs),
    );
  });
}

/** Claims a waiting caller before, and responds after. */
async function recordAndRespond(
  deps: DispatchDeps,
  known: KnownTransfer,
  record: (isResolvedSynchronously: boolean) => Promise<Recorded>,
): Promise<boolean> {
  const { pendingResponses } = deps;
  const isClaimed = pendingResponses.claim(known.id);
  const recorded = await record(isClaimed);
  if (isClaimed) pendingResponses.resolve(known.id, await resultOf(deps, known.id, recorded));
  return isRecorded(recorded);
}

/** Result for the caller. `nothing`: another commit recorded it, and the standby may not have that yet. */
async function resultOf(
  { findConfirmed }: Pick<DispatchDeps, "findConfirmed">,
  id: string,
  recorded: Recorded,
): Promise<TransferResult> {
  if (recorded.kind === "failed") return { kind: "unknown" };
  const transfer = recorded.kind === "recorded" ? recorded.transfer : await findConfirmed(id).catch(() => undefined);
  return transfer ? firstResult(transfer) : { kind: "unknown" };
}

function isRecorded({ kind }: Recorded): boolean {
  return kind !== "failed";
}

export async function recordRailEvent(
  deps: DispatchDeps,
  known: KnownTransfer,
  railEvent: RailEvent,
  forMs = recordMaxMs,
): Promise<Recorded> {
  const { clock, events } = deps;
  const command = () => railEventCommand(known, railEvent, clock.real());
  const outcome = await submitUntilAnswered(deps, command, forMs);
  if (outcome.kind === "effect") {
    events.recorded(known.rail, railEvent.event);
    return { kind: "recorded", transfer: outcome.payload, commit: outcome.commit };
  }
  if (outcome.kind !== "nothing") return { kind: "failed" };
  const isReport = railEvent.by === "rail" && railEvent.onlyIfNotClaimed !== true;
  const state = isReport ? reportedBy(railEvent) : undefined;
  const isDone = state === undefined || (await setConflictAside(deps, known, state, recordMaxMs));
  return { kind: isDone ? "nothing" : "failed" };
}

/**
 * Records that the transfer is submitted now. Undefined: it must not be, because it has a final result or that is not
 * known.
 */
export async function recordSubmission(
  deps: DispatchDeps,
  known: KnownTransfer,
): Promise<{ readonly version: number; readonly commit: ConfirmedCommit } | undefined> {
  const recorded = await recordRailEvent(deps, known, { event: "submit", by: "rail" });
  return recorded.kind === "recorded" ? { version: recorded.transfer.version, commit: recorded.commit } : undefined;
}

const statusOf: Readonly<Partial<Record<TransferEvent, RailState["kind"]>>> = {
  settle: "settled",
  reject: "rejected",
  return: "returned",
};

/** The result that an event records; undefined when it records none. */
function reportedBy({ event, traceNo }: RailEvent): ReportedState | undefined {
  const kind = statusOf[event];
  return kind && { kind, ...(traceNo !== undefined && { traceNo }) };
}

/** The transfer of a reference number; undefined when there is none. */
export async function findKnown(reads: StatementPool, referenceNo: string): Promise<RailTransfer | undefined> {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? undefined : findTransfer(reads, id);
}
