/** Retries commands of jobs and operators. They have no keys: their state guards detect repeats. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../basics/clock.ts";
import type { Command, Outcome } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";

export interface SubmitDeps {
  readonly engine: Pick<Engine, "submit">;
  readonly clock: Pick<Clock, "real">;
}

const answers: readonly Outcome<unknown>["kind"][] = ["effect", "nothing", "rejection", "repeat"];

/** Time that one command may wait for its outcome. */
export const commandTimeoutMs = 10_000;
const triesMax = 5;
const pauseMs = 20;

/**
 * Submits a command until the ledger answers, a new one at each try; no try begins after so long (ms). Returns an effect,
 * nothing, a rejection, a repeat; else unknown if any try was, or the last outcome.
 */
export async function submitUntilAnswered<Payload>(
  { engine, clock }: SubmitDeps,
  makeCommand: () => Command<Payload>,
  forMs: number,
): Promise<Outcome<Payload>> {
  const until = clock.real() + forMs;
  let isUnknown = false;
  for (let tries = 0; ; ) {
    const outcome = await engine.submit(makeCommand());
    isUnknown ||= outcome.kind === "unknown";
    const isAnswer = answers.includes(outcome.kind);
    // A full queue does not count as a try; any other failure may repeat.
    if (outcome.kind !== "overloaded") tries += 1;
    if (isAnswer) return outcome;
    if (tries === triesMax || clock.real() >= until) return isUnknown ? { kind: "unknown" } : outcome;
    await sleep(pauseMs * 2 ** tries);
  }
}
