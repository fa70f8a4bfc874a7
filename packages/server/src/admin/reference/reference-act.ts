/** Changes of reference data by an operator's act: proposed here, and written by the database once it is approved, or at once. */
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../basics/ids.ts";
import { changeByAct, describeAtOnce } from "../../jobs/open-act.ts";
import { findAtOnce } from "../../store/reads/acts.ts";
import type { ActProposal, DataActKind } from "../../store/tables/acts.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { withRights } from "../administration-rights.ts";
import { type AdminResult, done, rejectedAct } from "../result.ts";
import type { ReferenceDeps } from "./reference-change.ts";

/** Words of an operator about an act. */
export interface ActWords {
  /** Absent: only where nobody is in charge. */
  readonly reason?: string | undefined;
  /** Number of the case that it belongs to, elsewhere. */
  readonly ticket?: string | undefined;
}

interface ReferenceProposal extends Pick<ActProposal, "target" | "before" | "after">, ActWords {
  readonly kind: DataActKind;
  /** Absent: one such act on the target may be open. */
  readonly reference?: string;
  /** True: it is done with its proposal, and approved later. Absent: false. */
  readonly isAtOnce?: boolean;
}

/**
 * Proposes the act. Its value is what `read` finds behind it; `note` is about one that was done at once and waits for its approval, and
 * `actId` names that one.
 */
export async function proposeChange<Value>(
  { database, refresh }: Pick<ReferenceDeps, "database" | "refresh">,
  { reference = "", isAtOnce = false, reason, ...proposal }: ReferenceProposal,
  read: (note: string | undefined, actId: string | undefined) => Promise<Value>,
): Promise<AdminResult<Value>> {
  const act = await withRights(database, () =>
    changeByAct(database, { ...proposal, id: newId(), reference, isAtOnce, reason }),
  );
  if (act.kind !== "done") return rejectedAct(act);
  await refresh?.();
  return done(await read(act.message, act.message === undefined ? undefined : act.id));
}

/** About an act that was done at once and waits for its approval. */
export interface AtOnceNote {
  readonly note: string | undefined;
  readonly actId: string | undefined;
}

/** For what is so already: the act that has made it so, where it waits for its approval; that of another operator, too. */
export async function findAtOnceNote(
  pool: StatementPool,
  { reference = "", ...act }: { readonly kind: DataActKind; readonly target: string; readonly reference?: string },
): Promise<AtOnceNote> {
  const actId = await findAtOnce(pool, { ...act, reference });
  return { note: actId === undefined ? undefined : describeAtOnce(actId), actId };
}

/** Together two seconds: the other one is milliseconds from its end, or waits for the chain of acts itself. */
const tries = 13;
const pauseMs = 25;

/** Runs the work anew where another command was in the middle of a change, or has made one since it was read. */
export async function repeatWhenChanged<Value, Own extends string = never>(
  work: () => Promise<AdminResult<Value, Own>>,
): Promise<AdminResult<Value, Own>> {
  for (let count = 1; ; count += 1) {
    const result = await work();
    if (result.ok || count === tries || !["actEnded", "actOpen"].includes(result.rejection.kind)) return result;
    await sleep(count * pauseMs);
  }
}
