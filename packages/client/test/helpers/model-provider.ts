/**
 * A provider by the rules (spec D2, D6, D7, D15), and a network that delays and loses: one attempt, whose sends may arrive at
 * any later time, in any order. It knows nothing of how the client decides.
 */
import { type OperationRow, operations } from "@titian/contract";
import type { Outcome } from "../../src/exchange/outcome.ts";
import { answer, repeated, silence, success } from "./answers.ts";

/** State of the provider at the moment. */
export type Mood = "accepts" | "rejects" | "keepsOut" | "limits" | "isBusy" | "failsBehind" | "failsBefore";

export const moods: readonly Mood[] = [
  "accepts",
  "rejects",
  "keepsOut",
  "limits",
  "isBusy",
  "failsBehind",
  "failsBefore",
];

const windowMs = 300_000;

interface State {
  now: number;
  mood: Mood;
  isRailSlow: boolean;
  isAccepted: boolean;
  /** The rail has its result, or there is none. */
  isEnded: boolean;
  hasFailed: boolean;
  /** Latest timestamp of a rejected send. */
  rejectedAt: number | undefined;
}

const hasRail = ({ cases, about }: OperationRow) =>
  cases.includes("requestInProgress") || about.notifiedBy !== undefined;

function statusOf(row: OperationRow, { isEnded, hasFailed }: State): string {
  if (!hasRail(row)) return row.about.exampleStatus ?? "00";
  if (!isEnded) return "03";
  return hasFailed ? "06" : "00";
}

function accept(row: OperationRow, state: State): Outcome<never> {
  const { mood, isRailSlow, now } = state;
  state.isAccepted = true;
  state.isEnded = !hasRail(row) || !isRailSlow;
  if (mood === "failsBehind") return answer(row, "generalError");
  const isPending = hasRail(row) && isRailSlow && row.about.notifiedBy === undefined;
  return isPending ? answer(row, "requestInProgress", { at: now }) : success(row, now);
}

/** A send arrives; `isTaken`: another transaction has its number. */
function receive(row: OperationRow, state: State, isTaken: boolean, signedAt: number): Outcome<never> {
  const { now, mood, rejectedAt } = state;
  if (Math.abs(now - signedAt) > windowMs) return answer(row, "unauthorized", { reason: "Timestamp", at: now });
  if (mood === "keepsOut") return answer(row, "featureNotAllowed", { at: now });
  if (mood === "limits") return answer(row, "tooManyRequests", { at: now });
  if (mood === "failsBefore") return answer(row, "generalError");
  if (state.isAccepted) return repeated(row, statusOf(row, state), now);
  if (isTaken) return answer(row, "inconsistentRequest", { fields: takenInfo, at: now });
  if (rejectedAt !== undefined && signedAt <= rejectedAt) return answer(row, "insufficientFunds", { at: now });
  if (mood === "isBusy") return answer(row, "serviceUnavailable", { at: now });
  if (mood !== "rejects") return accept(row, state);
  state.rejectedAt = signedAt;
  return answer(row, "insufficientFunds", { at: now });
}

function inquire(row: OperationRow, state: State): Outcome<never> | undefined {
  const { mood, now, isAccepted, rejectedAt } = state;
  const asked: OperationRow | undefined = row.about.inquiry && operations[row.about.inquiry];
  if (asked === undefined) return undefined;
  // Another service: where repeats are kept out, that one may be called.
  if (mood === "limits") return answer(asked, "featureNotAllowed", { at: now });
  if (mood === "failsBefore") return answer(asked, "generalError");
  const rejected = rejectedAt === undefined ? "07" : "06";
  return tell(row, asked, { state: isAccepted ? statusOf(row, state) : rejected, isAccepted, at: now });
}

export function createModel(row: OperationRow, isTaken: boolean) {
  const state: State = {
    now: Date.UTC(2026, 10, 21, 3),
    mood: "accepts",
    isRailSlow: false,
    isAccepted: false,
    isEnded: false,
    hasFailed: false,
    rejectedAt: undefined,
  };
  const underWay: number[] = [];
  return {
    now: () => state.now,
    advance: (ms: number) => void (state.now += ms),
    setMood: (mood: Mood) => void (state.mood = mood),
    setRail: (isSlow: boolean) => void (state.isRailSlow = isSlow),
    /** The rail of an accepted transfer has its result. */
    end(hasFailed: boolean): void {
      if (state.isAccepted && !state.isEnded) Object.assign(state, { isEnded: true, hasFailed });
    },
    receive: (signedAt: number) => receive(row, state, isTaken, signedAt),
    /** It will arrive, or not, when the test says so; nobody waits for its response. */
    delay(signedAt: number): Outcome<never> {
      underWay.push(signedAt);
      return silence;
    },
    deliver(position: number): void {
      const [signedAt] = underWay.splice(position % Math.max(underWay.length, 1), 1);
      if (signedAt !== undefined) receive(row, state, isTaken, signedAt);
    },
    isUnderWay: () => underWay.length > 0,
    inquire: () => inquire(row, state),
    /** True where what the attempt asks for has happened, as far as anybody knows. */
    hasHappened: () => state.isAccepted && !state.hasFailed,
  };
}

interface Told {
  readonly state: string;
  readonly isAccepted: boolean;
  readonly at: number;
}

/** The answer of an inquiry: what was rejected has no number of the provider's. */
function tell(row: OperationRow, asked: OperationRow, { state, isAccepted, at }: Told): Outcome<never> {
  const { status = "", number = "" } = asked.about.tells ?? {};
  if (state === "07") return answer(asked, "transactionNotFound", { fields: { latestTransactionStatus: "07" }, at });
  const example: Readonly<Record<string, unknown>> = asked.example.response;
  const told = Object.entries(example).filter(([name]) => ![number, "originalExternalId", "amount"].includes(name));
  const isOfAttempt = status !== "latestTransactionStatus";
  const numbers =
    number === "referenceNumber" ? { [number]: isAccepted ? ourNumber : "" } : isAccepted && { [number]: ourNumber };
  const fields = {
    ...Object.fromEntries(told),
    ...numbers,
    [status]: isOfAttempt ? (state === "00" ? "SUCCESS" : "FAILED") : state,
    ...(isOfAttempt && ownAmount(row)),
  };
  return answer(asked, "success", { fields, at });
}

const ourNumber = "01JD7K8B0C1D2E3F4G5H6J7K8M";
const takenInfo = { additionalInfo: { latestTransactionStatus: "00" } };

/** Mandatory in the response of an inquiry about a hold's change. */
function ownAmount({ about: { amount = "" }, example }: OperationRow): object {
  return { [amount]: (example.response as Readonly<Record<string, unknown>>)[amount] };
}
