/** Calls of a run in which a cell is away: what is wrong with their answers, and their figures. */

export type Phase = "warm" | "up" | "down" | "back";

export interface MadeCall {
  readonly from: string;
  readonly to: string;
  readonly minor: bigint;
  /** True: its payee is in the cell. */
  readonly isAcross: boolean;
  readonly externalId: string;
  /** Phases in which it was sent and answered. */
  readonly began: Phase;
  readonly ended: Phase;
  readonly ms: number;
  /** By the monotonic clock. */
  readonly endedAt: number;
  /** "none": there was no answer. */
  readonly code: string;
  readonly retryAfter: string | undefined;
}

const [success, unavailable] = ["2001700", "5031700"];

/** Within home nothing fails; to the cell it is success or 503xx00 with `Retry-After`, and no success while it is away. */
export function findAnswerFaults(calls: readonly MadeCall[]): readonly string[] {
  const faults = calls.flatMap((call) => {
    const { isAcross, externalId, began, ended, code, retryAfter } = call;
    const of = `${externalId}, ${isAcross ? "to the cell" : "within home"}, sent ${began}, answered ${ended}`;
    if (!isAcross) return code === success ? [] : [`${of}: ${code}`];
    if (code === success) return began === "down" && ended === "down" ? [`${of}: taken while the cell was away`] : [];
    if (code !== unavailable) return [`${of}: ${code}`];
    return /^\d+$/.test(retryAfter ?? "") ? [] : [`${of}: 503 without Retry-After`];
  });
  for (const phase of ["up", "back"] as const) {
    if (!calls.some(({ isAcross, began, code }) => isAcross && began === phase && code === success))
      faults.push(`nothing was paid to the cell while it served (${phase})`);
  }
  return faults;
}

const percentile = (values: readonly number[], share: number) => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** A call belongs to the outage that it began or ended in. */
const phaseOf = ({ began, ended }: MadeCall): Phase => (ended === "down" ? ended : began);

interface Times {
  /** When the cell was back, by the monotonic clock. */
  readonly isBackAt: number;
  /** From then until all that was accepted before had arrived. */
  readonly arrivedMs: number;
  readonly seconds: number;
}

export function describeCalls(calls: readonly MadeCall[], { isBackAt, arrivedMs, seconds }: Times): string {
  const within = (phase: Phase) => calls.filter((call) => !call.isAcross && phaseOf(call) === phase);
  const p99Of = (phase: Phase) =>
    percentile(
      within(phase).map(({ ms }) => ms),
      0.99,
    );
  const ratioTo = (phase: Phase) => (p99Of("down") / p99Of(phase)).toFixed(2);
  const told = (["up", "down", "back"] as const).map((phase) => {
    const found = within(phase);
    const failed = found.filter(({ code }) => code !== success).length;
    return `${phase} ${Math.round(found.length / seconds)}/s, ${failed} failures, p99 ${p99Of(phase).toFixed(1)} ms`;
  });
  const across = calls.filter(({ isAcross }) => isAcross);
  const accepted = across.filter(({ code }) => code === success);
  const refused = across.filter(({ code }) => code === unavailable);
  const refusedWhile = refused.filter((call) => phaseOf(call) === "down").map(({ ms }) => ms);
  const refusedAfter = refused.filter(({ began }) => began === "back").map(({ endedAt }) => endedAt - isBackAt);
  return [
    `within home: ${told.join("; ")}; p99 down / up ${ratioTo("up")}, down / back ${ratioTo("back")}`,
    `to the cell: ${accepted.length} accepted, ${refusedWhile.length} answered 503 while it was away (p50 ${percentile(refusedWhile, 0.5).toFixed(1)} ms, p99 ${percentile(refusedWhile, 0.99).toFixed(1)} ms)`,
    `served again ${Math.max(0, ...refusedAfter).toFixed(0)} ms after it was back, and all of before had arrived after ${arrivedMs.toFixed(0)} ms`,
  ].join("; ");
}
