/** Calls in a run in which home is away: what is wrong with their answers, and their figures. */
import {
  describe,
  describePhases,
  describeRefusals,
  isAccepted,
  isRetryable,
  isWithinOutage,
  type MadeCall,
  type TimedCall,
} from "./outage-calls.ts";

/**
 * `within`: of the partner that has the cell alone, between accounts of it; `across`: of the same partner, to an account of home.
 * `several`: of the partner with both cells, whose payers and payees are in both. `home`: of the partner of home alone.
 */
export type Kind = "within" | "across" | "several" | "home";
export type Call = MadeCall<Kind>;

/** Kinds of calls that need home. */
export const kindsOfHome = ["across", "several", "home"] as const;

/** Under way when the connections to home broke, or sent before the node noticed: it may have taken effect. */
export const isUnknown = ({ kind, began, ended, code }: Call): boolean =>
  code === "5001700" &&
  (kind === "several" || kind === "home") &&
  began !== "back" &&
  (ended === "down" || ended === "back");

/** A call sent again is a repeat where the first send took effect. */
export const isRepeat = ({ code }: TimedCall): boolean => code === "4091700";

const tokenIssued = "2007300";

/**
 * Within the cell nothing fails; others succeed before, and are 503xx00 with `Retry-After` while home is away. `callers`: of each kind that needs
 * home; one has no more than one call under way when it goes.
 */
export function findAnswerFaults(
  calls: readonly Call[],
  tokens: readonly TimedCall[],
  callers: Readonly<Record<(typeof kindsOfHome)[number], number>>,
): readonly string[] {
  const faults = calls.filter((call) => !isRight(call)).map(describe);
  for (const { began, ended, code } of tokens)
    if (code !== tokenIssued) faults.push(`a token that was asked for ${began}, and answered ${ended}: ${code}`);
  if (!tokens.some(isWithinOutage)) faults.push("no token was issued while home was away");
  // One of home waits for it for 10 s, which may be longer than the outage.
  for (const kind of ["across", "several"] as const) {
    if (!calls.some((call) => call.kind === kind && isWithinOutage(call)))
      faults.push(`no call was answered while home was away (${kind})`);
  }
  for (const kind of kindsOfHome) {
    const unknown = calls.filter((call) => call.kind === kind && isUnknown(call)).length;
    if (unknown > callers[kind]) faults.push(`${unknown} outcomes are unknown (${kind})`);
  }
  return faults;
}

function isRight(call: Call): boolean {
  if (call.kind === "within") return isAccepted(call);
  if (isAccepted(call)) return !isWithinOutage(call);
  if (isUnknown(call)) return true;
  return isRetryable(call) && (call.ended === "down" || call.ended === "back");
}

interface Times {
  /** When home was back, by the monotonic clock. */
  readonly isBackAt: number;
  readonly seconds: number;
}

export function describeCalls(
  calls: readonly Call[],
  tokens: readonly TimedCall[],
  { isBackAt, seconds }: Times,
): string {
  const of = (wanted: Kind) => calls.filter(({ kind }) => kind === wanted);
  return [
    `within the cell: ${describePhases(of("within"), seconds)}`,
    `tokens: ${describePhases(tokens, seconds, tokenIssued)}`,
    `from the cell to home: ${describeRefusals(of("across"), isBackAt)}`,
    `of a partner with both: ${describeRefusals(of("several"), isBackAt)}`,
    `of home: ${describeRefusals(of("home"), isBackAt)}`,
  ].join("; ");
}
