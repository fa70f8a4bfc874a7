/** Hands administration's commands to the engine: no keys, since each recognises its own work by the state it finds. */
import type { Clock } from "../basics/clock.ts";
import type { Command, Effect } from "../engine/command.ts";
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import type { Engine } from "../engine/engine.ts";
import { newId } from "../basics/ids.ts";
import { commandTimeoutMs, submitUntilAnswered } from "../jobs/submit-until-answered.ts";
import type { Decision, Rejection } from "../ledger/rejection.ts";
import { isDenied } from "../store/schema/rights.ts";
import { AdminError, type AdminResult, done, rejectedByLedger } from "./result.ts";

export interface LedgerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

export interface AdminCommand {
  readonly locks: Locks;
  decide(found: LockedRows): Decision<Omit<Effect<null>, "payload">>;
  /** The sentence of a rejection; absent: that of its kind. */
  rejected?(rejection: Rejection): AdminResult<never>;
}

/** A lost response or a full queue is tried again for so long; deciding again is harmless. */
const submitMaxMs = 30_000;

/**
 * `done` also when there was nothing left to do: a repeated command succeeds.
 * @throws AdminError; PostgreSQL's own error where the role lacks a right (`withRights`).
 */
export async function submitAdmin(deps: LedgerDeps, command: AdminCommand): Promise<AdminResult<null>> {
  const id = newId();
  const makeCommand = () => toCommand(id, command, deps.clock.real() + commandTimeoutMs);
  const outcome = await submitUntilAnswered(deps, makeCommand, submitMaxMs);
  if (outcome.kind === "effect" || outcome.kind === "nothing") return done(null);
  if (outcome.kind === "rejection") {
    const { rejection } = outcome;
    return command.rejected?.(rejection) ?? rejectedByLedger(rejection.kind, rejection.field);
  }
  if (outcome.kind === "failed") throw new AdminError("The command failed.", { cause: outcome.error });
  if (outcome.kind === "unavailable") {
    if (isDenied(outcome.error)) throw outcome.error;
    throw new AdminError("The database cannot write it now. Nothing was changed; repeat it later.", {
      cause: outcome.error,
    });
  }
  if (outcome.kind === "overloaded") {
    throw new AdminError("The queue was full, or the database did not answer. Nothing was changed; repeat it later.");
  }
  throw new AdminError("The result of the command is unknown; repeat it when the database is available.");
}

function toCommand(id: string, { locks, decide }: AdminCommand, deadline: number): Command<null> {
  return {
    id,
    deadline,
    locks,
    decide: (found) => {
      const decision = decide(found);
      return decision.kind === "effect" ? { kind: "effect", effect: { ...decision.effect, payload: null } } : decision;
    },
  };
}
