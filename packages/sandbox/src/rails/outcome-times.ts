/** When an instruction ends on a simulated rail: pure. All times are business time (epoch ms). */
import { nextSettlement, type Holidays, type RailName, type RailState, type RailTerms } from "@titian/server/rails";
import type { SimulatedTimes } from "./simulated-rail-table.ts";
import type { SimulatedMode } from "./modes.ts";
import type { Outcome } from "./scenarios.ts";
import { traceNoOf } from "./seeded.ts";

/** Time that a slow rail takes to answer, and a slow account to settle. */
export const slowMs = 15_000;

/** Delay with which a rail in such a mode takes up what it is handed; undefined: not while it lasts. */
export function delayIn(mode: SimulatedMode): number | undefined {
  if (mode === "normal") return 0;
  return mode === "slow" ? slowMs : undefined;
}

const returnMs = 60_000;

/** When an instruction that the rail looks at now will end. A rail with settlements ends what waits at the next one. */
export function timesOf(
  outcome: Outcome,
  lookedAt: number,
  terms: Pick<RailTerms, "settlements">,
  holidays: Holidays,
): SimulatedTimes {
  if (outcome === "limbo") return {};
  const readyAt = outcome === "slowSuccess" ? lookedAt + slowMs : lookedAt;
  const finalAt = nextSettlement(terms, holidays, readyAt);
  return finalAt === undefined ? {} : endingAt(outcome, finalAt);
}

/** The times of one that ends at the given one. */
export function endingAt(outcome: Outcome, finalAt: number): SimulatedTimes {
  return outcome === "returnedAfterSettlement" ? { finalAt, returnedAt: finalAt + returnMs } : { finalAt };
}

interface Subject extends SimulatedTimes {
  readonly rail: RailName;
  readonly referenceNo: string;
}

/** State of an instruction by its rail at the given time. */
export function stateAt(subject: Subject, outcome: Outcome, now: number): RailState {
  const { finalAt = Infinity, returnedAt = Infinity } = subject;
  const traceNo = traceNoOf(subject.rail, subject.referenceNo);
  if (finalAt > now) return { kind: "pending", traceNo };
  return returnedAt > now ? finalState(subject, outcome) : { kind: "returned", traceNo };
}

/** State of its end, whatever came of it since. */
export function finalState({ rail, referenceNo }: Omit<Subject, keyof SimulatedTimes>, outcome: Outcome): RailState {
  const traceNo = traceNoOf(rail, referenceNo);
  switch (outcome) {
    case "success":
    case "slowSuccess":
    case "returnedAfterSettlement":
      return { kind: "settled", traceNo };
    case "limbo":
      return { kind: "pending", traceNo };
    default:
      return { kind: "rejected", rejection: outcome, traceNo };
  }
}
