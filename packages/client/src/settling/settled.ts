/** The end of an attempt, or that it has none yet. */
import { type CaseName, parseResponseCode, type TransactionStatusCode } from "@titian/contract";
import type { Attempt } from "../attempt.ts";
import type { WriteName } from "../names.ts";
import type { SettledResponseOf } from "../response-fields.ts";
import type { End, Known } from "./known.ts";

interface OfAttempt<Name extends WriteName> {
  readonly attempt: Attempt<Name>;
  /** The status that the provider told last. */
  readonly status: TransactionStatusCode | undefined;
}

/** The attempt has what it asks for, once. */
interface Done<Name extends WriteName> extends OfAttempt<Name> {
  readonly state: "done";
  /** Fields of the response, as far as one arrived; with the provider's number. */
  readonly response: SettledResponseOf<Name>;
}

/** It has not happened, or has come back (`status` 04), and no send of this attempt can make it happen. */
interface Rejected<Name extends WriteName> extends OfAttempt<Name> {
  readonly state: "rejected";
  readonly responseCode: string;
  /** The provider's words. */
  readonly reason: string;
  /** Case of the code; undefined when it is in no table. */
  readonly caseName: CaseName | undefined;
}

/** Nobody can tell yet: settle it again, at that time at the earliest. Never pay the same under another number. */
interface Unknown<Name extends WriteName> extends OfAttempt<Name> {
  readonly state: "unknown";
  readonly askAgainAt: Date;
  /** True: the provider has it, and its end is to come. */
  readonly isAccepted: boolean;
  /** The last rejection, which decides nothing. */
  readonly responseCode: string | undefined;
  readonly reason: string | undefined;
}

/** Result of `client.settle`: `switch` on `state`. */
export type Settled<Name extends WriteName = WriteName> = Done<Name> | Rejected<Name> | Unknown<Name>;

export function toSettled<Name extends WriteName>(attempt: Attempt<Name>, end: End): Settled<Name> {
  const { status } = end;
  if (end.state === "rejected") {
    const { responseCode, reason } = end;
    const caseName = parseResponseCode(responseCode)?.caseName;
    return { state: "rejected", attempt, status, responseCode, reason, caseName };
  }
  // Its fields were read by the operation's row, and kept as JSON.
  return { state: "done", attempt, status, response: end.response as SettledResponseOf<Name> };
}

export function toUnknown<Name extends WriteName>(
  attempt: Attempt<Name>,
  known: Known,
  askAgainAt: Date,
): Settled<Name> {
  const { status, isAccepted, reason: last } = known;
  const { responseCode, reason } = last ?? { responseCode: undefined, reason: undefined };
  return { state: "unknown", attempt, status, askAgainAt, isAccepted, responseCode, reason };
}
