/** Modes of the simulated rails: kept in the database, so that every node follows and a kill changes nothing. */
import { readState, type StatementPool, writeState } from "@titian/server/admin";
import type { Clock, RailName } from "@titian/server/rails";

/**
 * normal: answers within 20 ms · slow: after 15 s · limbo: answers nothing while it lasts, and looks at what it was
 * handed when it is over · down: cannot be reached.
 */
export const simulatedModes = ["normal", "slow", "limbo", "down"] as const;

export type SimulatedMode = (typeof simulatedModes)[number];

export interface Modes {
  /** At most 250 ms old; as it is, if this node set it. */
  current(rail: RailName): Promise<SimulatedMode>;
  /** In effect on this node when the promise resolves. */
  set(rail: RailName, mode: SimulatedMode): Promise<void>;
}

export interface ModesDeps {
  readonly database: StatementPool;
  readonly reads: StatementPool;
  readonly clock: Clock;
}

/** Other nodes follow within 2 s; asked for each of thousands of transfers a second, the database need not tell. */
const keptMs = 250;

interface Kept {
  readonly mode: SimulatedMode;
  /** Real time. */
  readonly at: number;
}

export function createModes({ database, reads, clock }: ModesDeps): Modes {
  const kept = new Map<RailName, Kept>();
  const reading = new Map<RailName, Promise<SimulatedMode>>();
  let sets = 0;
  const read = async (rail: RailName): Promise<SimulatedMode> => {
    const at = clock.real();
    const before = sets;
    const mode = toMode(rail, await readState(reads, stateName(rail)));
    // Read before this node set another, perhaps: what was set counts.
    if (sets !== before) return kept.get(rail)?.mode ?? mode;
    kept.set(rail, { mode, at });
    return mode;
  };
  const readOnce = (rail: RailName): Promise<SimulatedMode> => {
    const running = reading.get(rail);
    if (running !== undefined) return running;
    const started = read(rail).finally(() => reading.delete(rail));
    reading.set(rail, started);
    return started;
  };
  return {
    current: async (rail) => {
      const last = kept.get(rail);
      return last !== undefined && clock.real() - last.at < keptMs ? last.mode : readOnce(rail);
    },
    set: async (rail, mode) => {
      await writeState(database, stateName(rail), mode);
      sets += 1;
      kept.set(rail, { mode, at: clock.real() });
    },
  };
}

function stateName(rail: RailName): string {
  return `simulatedRailMode.${rail}`;
}

function toMode(rail: RailName, value: unknown): SimulatedMode {
  const mode = value === undefined ? "normal" : simulatedModes.find((one) => one === value);
  if (mode === undefined) throw new Error(`The database has an unknown mode for the simulated rail ${rail}.`);
  return mode;
}
