/**
 * The sandbox's rails (spec D11, D18): interbank and rtgs end an instruction at once, skn at its next settlement.
 * What they were handed and how they behave is in the database: all nodes see one rail, and a kill loses nothing.
 */
import type { StatementPool } from "@titian/server/admin";
import type { Clock, Rail, RailData, RailName } from "@titian/server/rails";
import { findSimulated, returnSimulated } from "./simulated-rail-table.ts";
import { createMemory, type Memory } from "./memory.ts";
import { createModes, type SimulatedMode } from "./modes.ts";
import { finalState } from "./outcome-times.ts";
import { isOutcome } from "./scenarios.ts";
import { createSimulatedRail, takeUpHeld } from "./simulated-rail.ts";

export interface SimulatedRailsDeps {
  /** Takes plain statements that write; each is short. */
  readonly database: StatementPool;
  readonly reads: StatementPool;
  /** Its business time is the rails' time: moved, it makes ready what was to come. */
  readonly clock: Clock;
  /** Asked each time: settlements, holidays and currencies are data, and may change. */
  readonly data: () => Pick<RailData, "rails" | "holidays">;
}

/** unknown: no rail has an instruction of that number · notSettled: it did not settle (yet). */
export type ReturnAnswer = "returned" | "alreadyReturned" | "notSettled" | "unknown";

/**
 * Control of the simulated rails. What a call did is in effect here when its promise resolves, elsewhere within 2 s.
 */
export interface SimulatedControl {
  mode(rail: RailName): Promise<SimulatedMode>;
  /** Ending limbo, it has the rail look at what it was handed meanwhile. */
  setMode(rail: RailName, mode: SimulatedMode): Promise<void>;
  /**
   * Ends at once what waits on the rail: batches, slow ones, and what it was handed in limbo; returns how many. Their
   * results are told like any other. The account `limbo` is left alone: only an operator's decision ends it.
   */
  settle(rail: RailName): Promise<number>;
  /** Brings back what settled, whichever rail it travelled on; the result is told like any other. */
  returnNow(referenceNo: string): Promise<ReturnAnswer>;
  /** Reference numbers of instructions that a rail lets its caller wait for, until business time or its mode moves on. */
  heldBack(): Promise<ReadonlySet<string>>;
  /** Counts results of all rails that are ready by business time and were not acknowledged. */
  due(): Promise<number>;
}

export interface SimulatedRails {
  readonly rails: Readonly<Record<RailName, Rail>>;
  readonly control: SimulatedControl;
}

export function createSimulatedRails({ database, reads, clock, data }: SimulatedRailsDeps): SimulatedRails {
  const modes = createModes({ database, reads, clock });
  const perRail = <Value>(make: (name: RailName) => Value): Record<RailName, Value> => ({
    interbank: make("interbank"),
    rtgs: make("rtgs"),
    skn: make("skn"),
  });
  const memories: Record<RailName, Memory> = perRail((name) => {
    const terms = () => ({ rail: data().rails[name], holidays: data().holidays });
    return createMemory(name, { database, reads, clock, terms });
  });
  const rails = perRail((name) => {
    const currency = () => data().rails[name].currency;
    return createSimulatedRail({ name, clock, modes, memory: memories[name], currency });
  });
  return {
    rails,
    control: {
      mode: (rail) => modes.current(rail),
      setMode: async (rail, mode) => {
        await modes.set(rail, mode);
        await takeUpHeld(memories[rail], mode);
      },
      settle: async (rail) => {
        // Whoever was told that a transfer was accepted, and settles then, settles that one too.
        await rails[rail].arrived();
        return memories[rail].settle();
      },
      returnNow: (referenceNo) => returnNow({ database, clock }, referenceNo),
      heldBack: async () => {
        const held = await Promise.all(Object.values(rails).map((rail) => rail.heldBack()));
        return new Set(held.flat());
      },
      due: async () => {
        const waiting = await Promise.all(Object.values(rails).map((rail) => rail.waiting()));
        return waiting.reduce((sum, one) => sum + one, 0);
      },
    },
  };
}

async function returnNow(
  { database, clock }: Pick<SimulatedRailsDeps, "database" | "clock">,
  referenceNo: string,
): Promise<ReturnAnswer> {
  const found = await findSimulated(database, referenceNo);
  if (found === undefined) return "unknown";
  const now = clock.now();
  const { finalAt = Infinity, returnedAt = Infinity, outcome } = found;
  if (finalAt > now || !isOutcome(outcome) || finalState(found, outcome).kind !== "settled") return "notSettled";
  if (returnedAt <= now) return "alreadyReturned";
  // One of two at once brings it back.
  return (await returnSimulated(database, referenceNo, now)) ? "returned" : "alreadyReturned";
}
