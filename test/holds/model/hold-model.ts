/**
 * Model of services 63 to 69: it predicts the whole answer to every call from the text of the specification (D6, D7, D8,
 * D10), and is given only the number of ours that a new write got.
 */
import assert from "node:assert/strict";
import { createRequests, type Repeat } from "../../support/ledger-model.ts";
import { creditedFor, findHold, type HoldState, merchantOf, type ModelCall, statusOf } from "./hold-state.ts";
import type { ModelReply } from "./model-reply.ts";
import { answerQuery, type Replies } from "./queries.ts";
import {
  type AcceptedCall,
  acceptedCall,
  comparisonIn,
  fieldsOf,
  type Recorded,
  type Records,
  rejectedFields,
  repeatedFields,
  writeOf,
} from "./writes.ts";

export interface SentCall {
  readonly call: ModelCall;
  readonly now: number;
  readonly position: number;
  /** The number of ours the service gave: the model knows only which field it belongs in. */
  readonly no: string | undefined;
  /** True: the service has learned that it needs the account of unapplied funds. */
  readonly isSecondRun: boolean;
}

/** A reply, to be read when all calls sent with its call were decided: a repeat's has the present status. */
export type LateReply = () => ModelReply;

export interface HoldModel {
  readonly state: HoldState;
  readonly records: Records;
  /** `again`: nothing was done, and the call is run again behind the others it was sent with. */
  decide(sent: SentCall): LateReply | "again";
  /** The reply to a call that is rejected before anything is locked or recorded (spec D2, steps 11 and 12). */
  rejectEarly(call: ModelCall): ModelReply | undefined;
  query(call: ModelCall, now: number): Replies;
}

type FoundRepeat = Repeat<AcceptedCall & Recorded, Recorded>;

export function createHoldModel(state: HoldState): HoldModel {
  const requests = createRequests<ModelCall, AcceptedCall & Recorded, Recorded>(comparisonIn(state));
  const { accepted, rejected } = requests;
  return {
    state,
    records: requests,
    rejectEarly: (call) => rejectEarly(state, call),
    query: (call, now) => answerQuery(state, requests, call, now),
    decide: ({ call, now, position, no, isSecondRun }) => {
      const repeat = requests.find(call, now);
      // A rejected call that locked nothing is run again, behind the calls sent with it.
      const isRunAgain = locksNothing(state, call);
      const runAgain = () => replyToRepeat(state, requests.find(call, now) ?? assert.fail(), call, now);
      if (repeat?.kind === "rejection" && isRunAgain) return runAgain;
      if (repeat) return () => replyToRepeat(state, repeat, call, now);
      const { reject, apply, beneficiary } = writeOf(call);
      const rejection = reject(state, call, now);
      if (rejection) {
        const reply = { ...rejection, fields: rejectedFields(state, call, now, no) };
        rejected.push({ call, no, at: now, reply, position, ...(isRunAgain && { lockedNothing: true }) });
        return isRunAgain ? runAgain : () => reply;
      }
      const hold = findHold(state, call);
      const credited = hold && beneficiary?.(hold);
      const isUnclaimed = credited !== undefined && creditedFor(state, credited) !== credited;
      if (isUnclaimed && !isSecondRun) return "again";
      const reply = { case: "success", fields: fieldsOf(state, call, now, no) };
      accepted.push({ ...acceptedCall(state, call, now), no, reply, position });
      apply(state, call, now, no ?? "no number");
      return () => reply;
    },
  };
}

function rejectEarly(state: HoldState, call: ModelCall): ModelReply | undefined {
  const { voidAmount, voidRemainingAmount } = call.request;
  if (call.name === "authVoid" && voidAmount === undefined && voidRemainingAmount === "false") {
    return { case: "invalidMandatoryField", field: "voidAmount" };
  }
  const isMissing = merchantOf(state, call)?.needsToken === true && call.customerAccountNo === undefined;
  return isMissing ? { case: "customerTokenNotFound" } : undefined;
}

/** True when none of the rows exist that a call locks. */
function locksNothing(state: HoldState, call: ModelCall): boolean {
  if (call.name === "authPayment") return !merchantOf(state, call);
  if (call.name === "authRefund") return !findHold(state, call);
  return state.holds.every(({ no }) => no !== call.request["originalReferenceNo"]);
}

const repeatCases = {
  sameCall: "conflict",
  externalIdTaken: "conflict",
  sameNumber: "duplicatePartnerReferenceNo",
  numberTaken: "inconsistentRequest",
} as const;

/** The first response again, with the present status; another request under the same external id learns nothing. */
function replyToRepeat(state: HoldState, { kind, first }: FoundRepeat, call: ModelCall, now: number): ModelReply {
  if (kind === "rejection") return first.call.name === call.name ? first.reply : { ...first.reply, fields: {} };
  if (kind === "externalIdTaken") return { case: repeatCases[kind] };
  const fields = first.reply.fields ?? {};
  const hold = state.holds.find(({ no }) => no === first.no);
  const responseCode = `200${writeOf(first.call).code}00`;
  const additionalInfo = {
    originalResponse: { responseCode, responseMessage: "Successful", ...fields },
    latestTransactionStatus: hold ? statusOf(hold, now) : "00",
  };
  return { case: repeatCases[kind], fields: { ...repeatedFields(fields, call), additionalInfo } };
}
