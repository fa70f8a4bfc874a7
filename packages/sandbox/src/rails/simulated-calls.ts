/** The calls to one simulated rail: how long each waits for its response, and which of them wait now. */
import { RailDown, abortable, pause, type Clock, type RailName } from "@titian/server/rails";
import type { Modes, SimulatedMode } from "./modes.ts";
import { delayIn } from "./outcome-times.ts";
import { latencyOf } from "./seeded.ts";

/** Interval at which a call that waits looks at mode and clock again: business time may jump. Real time. */
const lookEveryMs = 50;

/** Conditions for which a call to the rail waits before it is answered. */
export interface Waits {
  /** The reference number, or the beneficiary's account number, that it is about. */
  readonly about: string;
  /** Business time at which it was made. */
  readonly since: number;
  readonly latencyMs: number;
  /** Time that it takes longer than others in mode normal, in business time. */
  readonly extraMs: number;
}

export interface CallTerms {
  readonly about: string;
  /** 0 when absent. */
  readonly extraMs?: number;
  readonly signal: AbortSignal;
}

export interface SimulatedCalls {
  /** @throws RailDown when they were closed before. */
  call<Answer>(terms: CallTerms, work: (signal: AbortSignal, waits: Waits) => Promise<Answer>): Promise<Answer>;
  /** Subjects of those that are not answered in this mode at this time. */
  heldBack(mode: SimulatedMode): readonly string[];
  /** Aborts those under way, and begins no other. */
  close(): void;
}

export function createSimulatedCalls(name: RailName, clock: Clock): SimulatedCalls {
  const closing = new AbortController();
  const underWay = new Set<Waits>();
  return {
    call: async ({ about, extraMs = 0, signal }, work) => {
      if (closing.signal.aborted) throw new RailDown(`The simulated rail ${name} was closed.`);
      const waits = { about, since: clock.now(), latencyMs: latencyOf(about), extraMs };
      underWay.add(waits);
      try {
        return await work(AbortSignal.any([signal, closing.signal]), waits);
      } finally {
        underWay.delete(waits);
      }
    },
    heldBack: (mode) => [...underWay].filter((waits) => !isDue(waits, mode, clock.now())).map(({ about }) => about),
    close: () => closing.abort(new Error(`The simulated rail ${name} was closed.`)),
  };
}

interface Behaviour {
  readonly name: RailName;
  readonly clock: Clock;
  readonly modes: Pick<Modes, "current">;
}

/**
 * Resolves when the rail answers such a call: true when that is at once but for its latency, false when it took longer.
 * @throws when it is cut off meanwhile, and the signal's reason.
 */
export async function answersInTime(
  { name, clock, modes }: Behaviour,
  waits: Waits,
  signal: AbortSignal,
): Promise<boolean> {
  let isFirst = true;
  for (;;) {
    const mode = await abortable(modes.current(name), signal);
    if (mode === "down") throw new Error(`The simulated rail ${name} went down before it answered.`);
    if (mode === "normal" && waits.extraMs === 0 && isFirst) {
      await pause(waits.latencyMs, signal);
      return true;
    }
    if (isDue(waits, mode, clock.now())) return false;
    isFirst = false;
    await pause(lookEveryMs, signal);
  }
}

/**
 * True when a call is answered by then; the latency aside, which is real time. A rail that is down fails it at once.
 */
function isDue({ since, extraMs }: Waits, mode: SimulatedMode, now: number): boolean {
  if (mode === "down") return true;
  const delay = delayIn(mode);
  return delay !== undefined && now >= since + extraMs + delay;
}
