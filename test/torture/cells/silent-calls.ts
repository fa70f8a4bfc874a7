/** Calls of home in a run in which a cell is away: what is wrong with their answers, and their figures. */
import {
  describe,
  describePhases,
  describeRefusals,
  isAccepted,
  isRetryable,
  isWithinOutage,
  type MadeCall,
} from "./outage-calls.ts";

/** `across`: the payee is in the cell. */
export type KindOfHome = "within" | "across";
export type CallOfHome = MadeCall<KindOfHome>;

/** Within home nothing fails; to the cell it is success or 503xx00 with `Retry-After`, and no success while it is away. */
export function findAnswerFaults(calls: readonly CallOfHome[]): readonly string[] {
  const faults = calls.flatMap((call) => {
    const isRight =
      call.kind === "within" ? isAccepted(call) : isAccepted(call) ? !isWithinOutage(call) : isRetryable(call);
    return isRight ? [] : [describe(call)];
  });
  for (const phase of ["up", "back"] as const) {
    if (!calls.some((call) => call.kind === "across" && call.began === phase && isAccepted(call)))
      faults.push(`nothing was paid to the cell while it served (${phase})`);
  }
  return faults;
}

interface Times {
  /** When the cell was back, by the monotonic clock. */
  readonly isBackAt: number;
  /** From then until all that was accepted before had arrived. */
  readonly arrivedMs: number;
  readonly seconds: number;
}

export function describeCalls(calls: readonly CallOfHome[], { isBackAt, arrivedMs, seconds }: Times): string {
  const of = (wanted: KindOfHome) => calls.filter(({ kind }) => kind === wanted);
  return [
    `within home: ${describePhases(of("within"), seconds)}`,
    `to the cell: ${describeRefusals(of("across"), isBackAt)}`,
    `all of before had arrived after ${arrivedMs.toFixed(0)} ms`,
  ].join("; ");
}
