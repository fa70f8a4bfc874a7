/**
 * Results that cannot be recorded are set aside: kept in the database before they are acknowledged, because a rail reports no
 * acknowledged result again. Of a number that no transfer has, such a result may be the only trace of a payment: a database
 * that was restored to an earlier moment has forgotten the transfer.
 */
import { hash } from "node:crypto";
import { escapeControls } from "@titian/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, momentOf } from "../../basics/clock.ts";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { keepSetAside, type SetAsideReason } from "../../store/tables/rail-records/set-aside-results.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import { createGates } from "../bounded-calls.ts";
import type { DispatchEvents } from "../dispatch-events.ts";
import { readTraceNo } from "./parse-result.ts";
import type { RailState } from "../rail.ts";

export type ReportedState = Pick<RailState, "kind" | "traceNo">;

export interface UnrecordedResult {
  readonly rail: RailName;
  readonly referenceNo: string;
  readonly state: ReportedState;
}

interface KeepDeps {
  readonly clock: Pick<Clock, "now" | "real" | "monotonic">;
  /** For plain statements that write. */
  readonly database: StatementPool;
  readonly events: DispatchEvents;
}

/**
 * Keeps a result, with an event the first time. False: it is no unknown one, because a transfer of the rail has its number.
 * @throws when it is not certain that it is kept.
 */
export type KeepResult = (reason: SetAsideReason, result: UnrecordedResult) => Promise<boolean>;

/** At once: the pool has few connections, and what moves money needs them, too. */
const keptAtOnceMax = 2;
/** Number of unanswered results that are remembered; what was kept beyond it is not told of. */
const unansweredMax = 10_000;

/** One for all rails of a node. */
export function createKeepResult({ clock, database, events }: KeepDeps): KeepResult {
  const gates = createGates(keptAtOnceMax);
  /** When keeping a result failed first: it may be kept although the call failed, and was not told of then. */
  const unanswered = new Map<string, number>();
  return async (reason, { rail, referenceNo, state }) => {
    const shown = toPrintable(referenceNo);
    const terms = { rail, referenceNo: shown, state: state.kind, reason, traceNo: readTraceNo(state) };
    const known = reason === "unknown" ? fromReferenceNo(referenceNo) : undefined;
    const keep = () => keepSetAside(database, { ...terms, at: clock.now() }, known, momentOf(clock));
    const key = `${rail} ${state.kind} ${shown}`;
    const triedAt = unanswered.get(key) ?? clock.now();
    const kept = await gates("all", keep).catch((error: unknown) => {
      if (unanswered.size < unansweredMax) unanswered.set(key, triedAt);
      throw error;
    });
    const wasTried = unanswered.delete(key);
    if (!kept) return false;
    if (kept.isNew || (wasTried && kept.keptAt >= triedAt)) {
      if (reason === "unknown") events.unknownResult(rail, shown);
      else events.statusConflict(rail, shown, state.kind);
    }
    if (!kept.commit) throw new Error("its commit was not confirmed");
    return true;
  };
}

interface SetAsideDeps {
  readonly keepResult: KeepResult;
  readonly events: Pick<DispatchEvents, "notSetAside">;
}

/** Sets aside a result that comes again until it is acknowledged. False: it is not kept, and must not be acknowledged. */
export async function setAside(
  { keepResult, events }: SetAsideDeps,
  reason: SetAsideReason,
  result: UnrecordedResult,
): Promise<boolean> {
  try {
    return await keepResult(reason, result);
  } catch (error) {
    events.notSetAside({ ...fieldsOf(result), comesAgain: true }, error);
    return false;
  }
}

interface ConflictDeps extends SetAsideDeps {
  readonly clock: Pick<Clock, "real">;
  readonly reads: StatementPool;
}

const pauseMs = 20;
const pauseMaxMs = 1_000;

/**
 * A rail reports a result that changes nothing of a transfer that has a final one. Another than that is set aside. It may have
 * come in a response, which never comes again: it is tried for so long (ms). False: it is not kept, or it is not known
 * whether it must be.
 */
export async function setConflictAside(
  { keepResult, events, clock, reads }: ConflictDeps,
  { id, rail }: { readonly id: string; readonly rail: RailName },
  state: ReportedState,
  forMs: number,
): Promise<boolean> {
  const result = { rail, referenceNo: toReferenceNo(id), state };
  const until = clock.real() + forMs;
  for (let waitMs = pauseMs; ; waitMs = Math.min(2 * waitMs, pauseMaxMs)) {
    try {
      const transfer = await findTransfer(reads, id);
      if (!transfer) throw new Error("its transfer was not found");
      if ((transfer.state === "rejected") === (state.kind === "rejected")) return true;
      return await keepResult("conflict", result);
    } catch (error) {
      if (clock.real() >= until) {
        events.notSetAside({ ...fieldsOf(result), comesAgain: false }, error);
        return false;
      }
    }
    await sleep(waitMs);
  }
}

function fieldsOf({ rail, referenceNo, state }: UnrecordedResult) {
  return { rail, referenceNo: toPrintable(referenceNo), state: state.kind, traceNo: readTraceNo(state) };
}

const lengthMax = 64;
const digestLength = 24;

/** A number of ours as it is; other texts without controls, and a long one cut off before a hash of it. */
function toPrintable(referenceNo: string): string {
  const text = escapeControls(referenceNo);
  if (text.length <= lengthMax) return text;
  const digest = hash("sha256", text, "hex").slice(0, digestLength);
  return `${text.slice(0, lengthMax - 1 - digestLength)}…${digest}`;
}
