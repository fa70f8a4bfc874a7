/** Hands administration's commands to the engine: no keys, since each recognises its own work by the state it finds. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Command, Effect, LockedRows, Locks, Outcome } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { newId } from "../ids.ts";
import type { Decision } from "../ledger/rejection.ts";
import { AdminError, type AdminResult, done, rejectedByLedger } from "./result.ts";

export interface LedgerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

export interface AdminCommand {
  readonly locks: Locks;
  decide(found: LockedRows): Decision<Omit<Effect<null>, "facts">>;
}

const commandTimeoutMs = 10_000;
/** A lost answer or a full queue is tried again this often; deciding again is harmless. */
const triesMax = 3;
const pauseMs = 100;

/** `done` also when there was nothing left to do: a repeated command succeeds. */
export async function submitAdmin({ engine, clock }: LedgerDeps, command: AdminCommand): Promise<AdminResult<null>> {
  const id = newId();
  let outcome: Outcome<null> = { kind: "overloaded" };
  for (let tries = 0; tries < triesMax; tries += 1) {
    outcome = await engine.submit(toCommand(id, command, clock.real() + commandTimeoutMs));
    if (outcome.kind === "effect" || outcome.kind === "nothing") return done(null);
    if (outcome.kind === "rejection") return rejectedByLedger(outcome.rejection.kind, outcome.rejection.field);
    if (outcome.kind === "failed") throw new AdminError("The command failed.", { cause: outcome.error });
    await sleep(pauseMs);
  }
  throw new AdminError(
    `The result of the command is unknown (${outcome.kind}); repeat it when the database is available.`,
  );
}

function toCommand(id: string, { locks, decide }: AdminCommand, deadline: number): Command<null> {
  return {
    id,
    deadline,
    locks,
    decide: (found) => {
      const decision = decide(found);
      return decision.kind === "effect" ? { kind: "effect", effect: { ...decision.effect, facts: null } } : decision;
    },
  };
}
