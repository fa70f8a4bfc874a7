/** Knowledge of an attempt, by all that was seen of it. Pure: plain data in, plain data out. */
import type { TransactionStatusCode } from "@titian/contract";
import type { Reason, ResponseValues, SeenInquiry, SeenSend } from "./seen.ts";

export type End =
  | {
      readonly state: "done";
      readonly status?: TransactionStatusCode | undefined;
      readonly response: ResponseValues;
    }
  | ({ readonly state: "rejected"; readonly status?: TransactionStatusCode | undefined } & Reason);

/** Plain JSON. Times are milliseconds. */
export interface Known {
  /** `X-TIMESTAMP` of the first and the last of the sends that may have been accepted, or may be yet; absent: there is none. */
  readonly openFrom?: number | undefined;
  readonly openTo?: number | undefined;
  /** The provider has it; its end is to come. */
  readonly isAccepted: boolean;
  /** Its id or number is in use by what was not told: that nothing is found says nothing. */
  readonly isTaken: boolean;
  readonly status?: TransactionStatusCode | undefined;
  /** Fields of the operation's response, as far as one was seen. */
  readonly response?: ResponseValues | undefined;
  /** The last rejection. */
  readonly reason?: Reason | undefined;
  readonly next: "send" | "ask";
  /** Sends and inquiries since the last news. */
  readonly tries: number;
  /** The next one is due at `since + pauseMs`, or when the clock is before `since`: it was set back. */
  readonly since: number;
  readonly pauseMs: number;
  readonly end?: End | undefined;
}

/** It was never sent. */
export const neverSent: Known = { isAccepted: false, isTaken: false, next: "send", tries: 0, since: 0, pauseMs: 0 };

/** It may have been sent at any time up to now. */
export const maybeSent = (now: number): Known => ({ ...neverSent, openFrom: 0, openTo: now });

/** Known before a send, so that a crash leaves it as one that may have been made. */
export function withSend(known: Known, signedAt: number, now: number): Known {
  const { openFrom = signedAt, openTo = signedAt } = known;
  return {
    ...known,
    openFrom: Math.min(openFrom, signedAt),
    openTo: Math.max(openTo, signedAt),
    since: now,
    pauseMs: 0,
  };
}

export interface Sent {
  readonly signedAt: number;
  /** As it was before this send. */
  readonly before: Known;
  /** An operation tells what became of it. */
  readonly isAskable: boolean;
  readonly now: number;
}

export function learnFromSend(known: Known, seen: SeenSend, sent: Sent): Known {
  const turn = (next: Known["next"]) => (sent.isAskable ? next : "send");
  switch (seen.seen) {
    case "done":
    case "failed":
      return ended(known, seen);
    case "accepted":
      return accepted(known, seen, turn("ask"), sent.now);
    case "taken":
      return paused({ ...known, isTaken: true, reason: reasonOf(seen) }, turn("ask"), sent.now);
    case "rejected":
      return learnRejection(known, reasonOf(seen), sent, turn("ask"));
    case "keptOut": {
      const closed = { ...withoutSend(known, sent), reason: reasonOf(seen) };
      if (seen.passes) return paused(closed, turn(known.isAccepted ? "ask" : "send"), sent.now, seen.retryAfterMs);
      return isNeverSent(closed) ? rejectedBy(closed, reasonOf(seen)) : paused(closed, turn("ask"), sent.now);
    }
    case "unknown":
      return paused(known, turn(seen.isAnswered || known.isAccepted ? "ask" : "send"), sent.now, seen.retryAfterMs);
    case "notSent":
      return paused(withoutSend(known, sent), turn(known.isAccepted ? "ask" : "send"), sent.now, seen.retryAfterMs);
    default: {
      const never: never = seen;
      return never;
    }
  }
}

/** It decides the sends that were signed before it; one that was signed later, by a clock that was ahead, may be accepted. */
function learnRejection(known: Known, reason: Reason, sent: Sent, ask: Known["next"]): Known {
  const isLast = known.openTo === undefined || known.openTo <= sent.signedAt;
  if (isLast && !known.isAccepted && !known.isTaken) return rejectedBy(known, reason);
  return paused({ ...withoutSend(known, sent), reason }, ask, sent.now);
}

export interface Limits {
  /** Distance that `X-TIMESTAMP` may have from the provider's time, both ways. */
  readonly windowMs: number;
  readonly now: number;
}

export function learnFromInquiry(known: Known, seen: SeenInquiry, { windowMs, now }: Limits): Known {
  switch (seen.seen) {
    case "done":
    case "failed":
      return ended(known, seen);
    case "accepted":
      return accepted(known, seen, "ask", now);
    case "notFound":
      if (nothingCanArrive(known, seen.upTo, windowMs)) return rejectedBy(known, known.reason ?? reasonOf(seen));
      // An accepted one is not sent again where the provider does not find it.
      return paused(known, known.isAccepted ? "ask" : "send", now);
    case "nothing":
      return paused(known, "send", now, seen.retryAfterMs);
    default: {
      const never: never = seen;
      return never;
    }
  }
}

/** Beyond the window: clocks of the provider's machines, and the time from the look at a timestamp to the commit. */
const marginMs = 60_000;
/** Later the provider may have put its records away. */
const longestMs = 86_400_000;

/** True: none of the sends was accepted, and what is still on its way is too old by the provider's own clock. */
function nothingCanArrive(known: Known, upTo: number | undefined, windowMs: number): boolean {
  const { openFrom, openTo, isAccepted, isTaken } = known;
  if (isAccepted || isTaken || upTo === undefined) return false;
  if (openFrom === undefined || openTo === undefined) return true;
  return upTo > openTo + windowMs + marginMs && upTo < openFrom + longestMs;
}

function isNeverSent({ openTo, isAccepted, isTaken }: Known): boolean {
  return openTo === undefined && !isAccepted && !isTaken;
}

/** This send is decided; another runner's, made meanwhile, is not. */
function withoutSend(known: Known, { before, signedAt }: Sent): Known {
  return known.openTo === signedAt ? { ...known, openFrom: before.openFrom, openTo: before.openTo } : known;
}

function accepted(
  known: Known,
  { status, response }: { readonly status?: TransactionStatusCode; readonly response: ResponseValues },
  next: Known["next"],
  now: number,
): Known {
  const tries = known.isAccepted && known.status === status ? known.tries : 0;
  const all = { ...known.response, ...response };
  return paused({ ...known, isAccepted: true, status: status ?? known.status, response: all, tries }, next, now);
}

function ended(known: Known, seen: Extract<SeenSend, { seen: "done" | "failed" }>): Known {
  if (seen.seen === "failed") return rejectedBy(known, reasonOf(seen), seen.status);
  const { status, response } = seen;
  return { ...known, end: { state: "done", status, response: { ...known.response, ...response } } };
}

function rejectedBy(known: Known, reason: Reason, status?: TransactionStatusCode): Known {
  return { ...known, reason, end: { state: "rejected", status, ...reason } };
}

const reasonOf = ({ responseCode, reason }: Reason): Reason => ({ responseCode, reason });

const firstPauseMs = 500;
const longestPauseMs = 30_000;

function paused(known: Known, next: Known["next"], now: number, retryAfterMs = 0): Known {
  const pauseMs = Math.max(retryAfterMs, Math.min(firstPauseMs * 2 ** Math.min(known.tries, 10), longestPauseMs));
  return { ...known, next, tries: known.tries + 1, since: now, pauseMs };
}
