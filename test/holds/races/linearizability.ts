/**
 * Linearizability of calls that were sent at once, to whichever node: the events of the hold are the order of the
 * successes, and every other answer must fit between two of them (spec D7, D8, D10).
 */
import { isDeepStrictEqual } from "node:util";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { eventKinds, type HoldRecord, historyOf } from "../hold-record.ts";
import { modelHistory } from "../model/compare-database.ts";
import { type HoldState, type ModelCall, type ModelHold, releaseExpired } from "../model/hold-state.ts";
import { type Fields, plain, present } from "../model/model-reply.ts";
import { answerQuery } from "../model/queries.ts";
import {
  type AcceptedCall,
  acceptedCall,
  comparisonIn,
  fieldsOf,
  isSameNumber,
  isWrite,
  rejectedFields,
  writeOf,
} from "../model/writes.ts";
import { numberIn } from "../write-fields.ts";
import { compare } from "./check-record.ts";

export interface AnsweredCall {
  readonly call: ModelCall;
  readonly reply: Reply;
}

/** The state before the first call, with the hold as it was placed. */
export interface InitialState {
  readonly state: HoldState;
  readonly hold: ModelHold;
  /** True: it may have expired for some node by the end. */
  readonly mayBeExpired: boolean;
}

export function checkLinearizable(
  { state, hold, mayBeExpired }: InitialState,
  record: HoldRecord,
  answered: readonly AnsweredCall[],
): readonly string[] {
  const faults: string[] = [];
  const successes = new Map(answered.filter(isSuccess).map((one) => [numberIn(one.reply), one]));
  const rejected = answered.filter((one) => !isSuccess(one) && !isRepeat(one));
  const open = new Set(rejected.filter((one) => !isRejectionOfLater(one, rejected)));
  const accepted = new Map<AnsweredCall, AcceptedCall>();
  const times = mayBeExpired ? [hold.at, hold.expiresAt] : [hold.at];
  const close = () => {
    for (const one of open) if (times.some((now) => isExpected(state, one, now))) open.delete(one);
  };
  close();
  for (const [no, [first]] of Map.groupBy(record.events, (event) => event.no)) {
    const one = successes.get(no);
    if (one) {
      const late = [...open].filter(({ call }) => isTakenBy(one.call, call));
      const now = first?.isLate === true ? hold.expiresAt : hold.at;
      accepted.set(one, acceptedCall(state, one.call, now));
      faults.push(...apply(state, one, now));
      faults.push(...late.map((other) => `rejected after its id or number was taken: ${write(other)}`));
    } else if (first?.kind === eventKinds.expiry) releaseExpired(state, hold.expiresAt);
    else faults.push(`no call was answered with ${no}`);
    close();
  }
  faults.push(...[...open].map((one) => `no order explains ${write(one)}`));
  faults.push(...compare("the events, applied in their order", historyOf(record), modelHistory(hold)));
  return [...faults, ...answered.filter(isRepeat).flatMap((one) => checkRepeat(one, answered, state, accepted))];
}

const repeatCases = ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"];
const isSuccess = ({ call, reply }: AnsweredCall) => reply.case === "success" && isWrite(call);
export const isRepeat = ({ reply }: AnsweredCall) => repeatCases.includes(reply.case);
const write = ({ call, reply }: AnsweredCall) => JSON.stringify({ call, reply: plain(reply) });

/** Applies a success to the model, which must accept it, too, with the same response. */
function apply(state: HoldState, { call, reply }: AnsweredCall, now: number): readonly string[] {
  const rejection = writeOf(call).reject(state, call, now);
  if (rejection) return [`accepted in spite of ${JSON.stringify(rejection)}: ${JSON.stringify(call)}`];
  const no = numberIn(reply) ?? "";
  const expected = withoutTime(fieldsOf(state, call, now, no));
  writeOf(call).apply(state, call, now, no);
  return compare("fields of a success", withoutTime(reply.fields ?? {}), expected);
}

/** True when the model, as it is now, would answer this. */
function isExpected(state: HoldState, { call, reply }: AnsweredCall, now: number): boolean {
  if (!isWrite(call)) {
    const [expected] = answerQuery(state, { accepted: [], rejected: [] }, call, now);
    return isDeepStrictEqual(plain(reply), plain(expected));
  }
  const rejection = writeOf(call).reject(state, call, now);
  if (!rejection || rejection.case !== reply.case || rejection.field !== reply.field) return false;
  const expected = rejectedFields(state, call, now, numberIn(reply));
  return isDeepStrictEqual(withoutTime(reply.fields ?? {}), withoutTime(expected));
}

const timeFields = new Set(["captureTime", "voidTime", "refundTime"]);

const withoutTime = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(present(fields)).filter(([name]) => !timeFields.has(name)));

/** Spec D7: a call gets the rejection of one of its external id that was sent no earlier. */
function isRejectionOfLater({ call, reply }: AnsweredCall, rejected: readonly AnsweredCall[]): boolean {
  return rejected.some(
    (other) =>
      other.call.externalId === call.externalId &&
      other.call.signature !== call.signature &&
      other.call.sentAt >= call.sentAt &&
      isDeepStrictEqual(plain(other.reply), plain(reply)),
  );
}

/** True when another call took its external id or its number. */
function isTakenBy(first: ModelCall, call: ModelCall): boolean {
  return first.externalId === call.externalId || isSameNumber(first, call);
}

/** Spec D7: the first use of the id or number, its response, and how this call differs from it. */
function checkRepeat(
  one: AnsweredCall,
  answered: readonly AnsweredCall[],
  state: HoldState,
  accepted: ReadonlyMap<AnsweredCall, AcceptedCall>,
): readonly string[] {
  const first = answered.find((other) => isSuccess(other) && isTakenBy(other.call, one.call));
  if (!first) return [`a repeat of nothing: ${write(one)}`];
  const { isSameService, isSameBody, hasSameContent } = comparisonIn(state);
  const done = accepted.get(first);
  const isSameId = first.call.externalId === one.call.externalId;
  const isSame = done !== undefined && isSameNumber(first.call, one.call) && hasSameContent(done, one.call);
  const isSameCall = isSame || (isSameService(first.call, one.call) && isSameBody(first.call, one.call));
  const expected = isSameId ? "conflict" : isSame ? "duplicatePartnerReferenceNo" : "inconsistentRequest";
  const { originalResponse } = (plain(one.reply).fields["additionalInfo"] ?? {}) as { originalResponse?: Fields };
  const code = { responseCode: `200${writeOf(first.call).code}00`, responseMessage: "Successful" };
  const response = isSameId && !isSameCall ? undefined : { ...plain(first.reply).fields, ...code };
  if (one.reply.case === expected && isDeepStrictEqual(originalResponse, response)) return [];
  return [`expected ${expected} of ${write(first)}: ${write(one)}`];
}
