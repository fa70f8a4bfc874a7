/**
 * Results that cannot be recorded are set aside: kept in the database before they are acknowledged, because a rail reports no
 * acknowledged result again. Of a number that no transfer has, such a result may be the only trace of a payment: a database
 * that was restored to an earlier moment has forgotten the transfer.
 */
import { hash } from "node:crypto";
import { escapeControls } from "@titian/contract";
import { type Clock, momentOf } from "../clock.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { keepSetAside, type SetAsideReason } from "../store/tables/set-aside-results.ts";
import type { DispatchEvents } from "./dispatch-events.ts";
import { readTraceNo } from "./parse-result.ts";
import type { RailState } from "./rail.ts";

export interface SetAsideDeps {
  readonly clock: Pick<Clock, "now" | "real" | "monotonic">;
  /** For plain statements that write. */
  readonly database: StatementPool;
  readonly events: DispatchEvents;
}

export interface UnrecordedResult {
  readonly rail: RailName;
  readonly referenceNo: string;
  readonly state: Pick<RailState, "kind" | "traceNo">;
}

/** False: it could not be kept, and must not be acknowledged. Reported as an event the first time. */
export async function setAside(
  { clock, database, events }: SetAsideDeps,
  reason: SetAsideReason,
  { rail, referenceNo, state }: UnrecordedResult,
): Promise<boolean> {
  const shown = toPrintable(referenceNo);
  try {
    const terms = { rail, referenceNo: shown, state: state.kind, reason, traceNo: readTraceNo(state) };
    const { isNew, commit } = await keepSetAside(database, { ...terms, at: clock.now() }, momentOf(clock));
    if (isNew) {
      if (reason === "unknown") events.unknownResult(rail, shown);
      else events.statusConflict(rail, shown, state.kind);
    }
    return commit !== undefined;
  } catch (error) {
    events.notSetAside(rail, shown, error);
    return false;
  }
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
