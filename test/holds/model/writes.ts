/** The writes of the model: fields of their responses (spec D8), and what their repeats compare (D7). */
import { isDeepStrictEqual } from "node:util";
import type { Comparison, Decided } from "../../support/ledger-model.ts";
import { writeFields, type WriteName } from "../write-fields.ts";
import { type Change, changes } from "./changes.ts";
import {
  findHold,
  hasLapsed,
  type HoldState,
  matches,
  merchantOf,
  minorOf,
  type ModelCall,
  type Money,
  moneyOf,
  timeText,
} from "./hold-state.ts";
import type { Fields, ModelReply } from "./model-reply.ts";
import { expiryOf, namedPayer, paymentAmount, placeHold, rejectPayment } from "./payments.ts";

export interface Write extends Pick<Change, "amount" | "reject" | "apply"> {
  readonly code: string;
  readonly fields: (typeof writeFields)[WriteName];
  /** Field that names the hold, for a number that counts within a hold. */
  readonly numberedBy?: string;
  /** Fields of the request in its response. */
  readonly echoed: readonly string[];
  /** Fields of every response, also of rejections and repeats. */
  readonly mandatory: readonly string[];
  /** Fields that make two requests of one number different. */
  readonly content: readonly string[];
  readonly beneficiary?: Change["beneficiary"];
}

const references = ["originalReferenceNo", "originalPartnerReferenceNo"];
const byReferences = {
  numberedBy: "originalReferenceNo",
  content: [...references, "merchantId", "subMerchantId"],
};
/** Originals, of which the response to a refund has one. */
const originals = ["originalReferenceNo", "originalCaptureNo"];

const writes: Readonly<Record<WriteName, Write>> = {
  authPayment: {
    code: "63",
    fields: writeFields.authPayment,
    echoed: ["partnerReferenceNo"],
    mandatory: ["amount", "paidTime"],
    content: ["merchantId", "subMerchantId"],
    amount: (state, call) => paymentAmount(state, call) ?? moneyOf(0n, "IDR"),
    reject: rejectPayment,
    apply: placeHold,
  },
  authCapture: {
    code: "65",
    fields: writeFields.authCapture,
    ...byReferences,
    echoed: [...references, "partnerCaptureNo"],
    mandatory: ["captureAmount"],
    ...changes.authCapture,
  },
  authVoid: {
    code: "67",
    fields: writeFields.authVoid,
    ...byReferences,
    echoed: [...references, "partnerVoidNo"],
    mandatory: ["voidAmount"],
    ...changes.authVoid,
  },
  authRefund: {
    code: "69",
    fields: writeFields.authRefund,
    numberedBy: "originalPartnerReferenceNo",
    echoed: ["originalPartnerReferenceNo", "partnerRefundNo"],
    mandatory: ["refundNo", "refundTime", ...originals],
    content: ["merchantId", "subMerchantId", "originalCaptureNo", "externalStoreId"],
    ...changes.authRefund,
  },
};

export const isWrite = ({ name }: ModelCall) => name in writes;

export function writeOf({ name }: ModelCall): Write {
  const write = writes[name as WriteName];
  if (!write) throw new Error(`${name} is no write`);
  return write;
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

/** Fields of the successful response, before the call is applied. `no`: our number. */
export function fieldsOf(state: HoldState, call: ModelCall, now: number, no: string | undefined): Fields {
  const { fields, echoed, amount } = writeOf(call);
  return {
    ...pick(call.request, echoed),
    ...(call.name === "authPayment" && { additionalInfo: paymentInfo(state, call, now) }),
    ...(call.name === "authRefund" && originalOf(state, call, now)),
    [fields.amount]: amount(state, call, now),
    [fields.no]: no,
    [fields.time]: timeText(now),
  };
}

/** Fields of the response to a call that is rejected. */
export function rejectedFields(state: HoldState, call: ModelCall, now: number, no: string | undefined): Fields {
  const { fields, mandatory } = writeOf(call);
  return pick(fieldsOf(state, call, now, no), [fields.amount, ...mandatory]);
}

/** Fields of the first response with which a repeat is answered: mandatory ones that the repeat lacks. */
export function repeatedFields(first: Fields, call: ModelCall): Fields {
  const isLacking = (name: string) => call.request[name] === undefined || originals.includes(name);
  return pick(first, writeOf(call).mandatory.filter(isLacking));
}

function paymentInfo(state: HoldState, call: ModelCall, now: number): Fields {
  return {
    validUpTo: timeText(expiryOf(state, call, now)),
    ...(call.request["additionalInfo"] as Fields | undefined),
  };
}

/** The capture where the hold lapsed, else the hold; neither where the hold was not found. */
function originalOf(state: HoldState, call: ModelCall, now: number): Fields {
  const hold = findHold(state, call);
  if (!hold || !matches(hold, call)) return {};
  return hasLapsed(hold, now) ? pick(call.request, ["originalCaptureNo"]) : { originalReferenceNo: hold.no };
}

/** An accepted call, as its repeats are compared with it. */
export interface AcceptedCall extends Decided<ModelCall> {
  readonly amount: Money;
  /** True: a call without an amount had taken the same. */
  readonly isWhole: boolean;
}

/** A write that was accepted, or rejected in step 14 of spec D2. */
export interface Recorded extends Decided<ModelCall> {
  /** Our number of it; of rejections only refunds have one. */
  readonly no: string | undefined;
  readonly reply: ModelReply;
  /** Its position among all calls, in the order of sending. */
  readonly position: number;
  readonly lockedNothing?: true;
}

/** All writes so far. */
export interface Records {
  readonly accepted: readonly Recorded[];
  readonly rejected: readonly Recorded[];
}

/** To be made before the call is applied. */
export function acceptedCall(state: HoldState, call: ModelCall, now: number): AcceptedCall {
  const { fields, amount: amountOf } = writeOf(call);
  const amount = amountOf(state, call, now);
  const byDefault = amountOf(state, { ...call, request: { ...call.request, [fields.amount]: undefined } }, now);
  return { call, at: now, amount, isWhole: isSame(amount, byDefault) };
}

const isSame = (one: Money, other: Money) => minorOf(one) === minorOf(other) && one.currency === other.currency;

/** Spec D7: how two calls are compared. */
export function comparisonIn(state: HoldState): Comparison<ModelCall, AcceptedCall> {
  return {
    isSameService: (first, call) => first.name === call.name,
    isSameBody: (first, call) => JSON.stringify(first.request) === JSON.stringify(call.request),
    isSameNumber,
    hasSameContent: (first, call) => hasSameContent(state, first, call),
    hasSameFingerprint,
  };
}

const fingerprinted = ["originalReferenceNo", "originalPartnerReferenceNo", "originalCaptureNo", "externalStoreId"];

function hasSameFingerprint(first: ModelCall, call: ModelCall): boolean {
  const { fields, content } = writeOf(call);
  const [one, other] = [first, call].map(({ request }) => {
    const amount = request[fields.amount] as Money | undefined;
    const isAll = call.name === "authVoid" && (request["voidRemainingAmount"] === "true" || !amount);
    const isLast = request["lastCapture"] === "true";
    const named = [...content, ...fingerprinted].map((name) => request[name]);
    return [amount && [String(minorOf(amount)), amount.currency], isAll, isLast, named];
  });
  return isDeepStrictEqual(one, other) && (call.name !== "authPayment" || namedPayer(first) === namedPayer(call));
}

/** True when a call has the partner's number of another one. */
export function isSameNumber(first: ModelCall, call: ModelCall): boolean {
  const { fields, numberedBy = fields.number } = writeOf(first);
  const isSameField = (field: string) => first.request[field] === call.request[field];
  return first.partner === call.partner && first.name === call.name && [fields.number, numberedBy].every(isSameField);
}

function hasSameContent(state: HoldState, { call: first, amount, isWhole }: AcceptedCall, call: ModelCall): boolean {
  const { fields, content } = writeOf(call);
  const requested = call.request[fields.amount] as Money | undefined;
  const isFlagged = ({ request }: ModelCall, flag: string) => request[flag] === "true";
  return (
    (requested ? isSame(requested, amount) : isWhole || first.request[fields.amount] === undefined) &&
    isFlagged(call, "lastCapture") === isFlagged(first, "lastCapture") &&
    (!isFlagged(call, "voidRemainingAmount") || isWhole) &&
    content.every((name) => call.request[name] === first.request[name]) &&
    (call.name === "authPayment" ? hasSamePayer(state, first, call) : hasSameHold(state, first, call))
  );
}

/** The payer that a call names; where it names none, the merchant's. */
function hasSamePayer(state: HoldState, first: ModelCall, call: ModelCall): boolean {
  const { partner, request } = first;
  const hold = state.holds.find((one) => one.partner === partner && one.number === request["partnerReferenceNo"]);
  const named = namedPayer(call);
  if (named !== undefined) return named === hold?.payer;
  return namedPayer(first) === undefined || hold?.payer === merchantOf(state, first)?.payer;
}

/** A refund need not have our number of its hold. */
function hasSameHold(state: HoldState, first: ModelCall, { request }: ModelCall): boolean {
  const { originalReferenceNo } = request;
  return originalReferenceNo === undefined || findHold(state, first)?.no === originalReferenceNo;
}
