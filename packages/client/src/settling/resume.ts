/** Takes up every attempt that a store has open, as after a crash. */
import { checkAttempt } from "../attempt.ts";
import { together } from "../bulks/together.ts";
import type { ClientState } from "../calls/transaction-call.ts";
import type { AttemptStore } from "./attempt-store.ts";
import { carryOn, checkResumeOptions, type ResumeOptions } from "./settle.ts";
import type { Settled } from "./settled.ts";
import { createTurns } from "./turns.ts";
import { startUntil } from "./until.ts";

/** Calls at a time. */
const mostCalls = 8;

export async function resumeAttempts(
  state: ClientState,
  store: AttemptStore,
  options: ResumeOptions,
): Promise<readonly Settled[]> {
  checkResumeOptions(options);
  const until = startUntil(options.until, state.settings.clock);
  try {
    const open = await store.listOpen();
    const turns = createTurns(mostCalls);
    const works = open.map((stored) => (signal: AbortSignal) => {
      const course = { store, stored, until: { at: until.at, signal }, turns };
      return carryOn(state, checkAttempt(stored.attempt), course, options);
    });
    return await together(until.signal, works);
  } finally {
    until.release();
  }
}
