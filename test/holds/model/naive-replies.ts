/** The fields of each answer as spec D8 lists them, and what repeats compare (D7). */
import { type Change, capture, findHold, fits, refund, release } from "./naive-changes.ts";
import { endOf, merchantOf, paymentAmount, type Rejection, rejectPayment, place } from "./naive-payments.ts";
import { hasLapsed, minorOf, type ModelCall, type Money, moneyOf, timeText, type World } from "./naive-world.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A write of the interface, as the model knows it. */
export interface Write {
  readonly code: string;
  /** The field that holds the partner's own number, and the one that names the hold it counts in. */
  readonly number: string;
  readonly numberedBy?: string;
  /** The fields of the answer; `no` and `time` are ours, and only a refund has them also when rejected. */
  readonly answer: (call: ModelCall, told: Told) => Fields;
  readonly rejected: (call: ModelCall, told: Told) => Fields;
  /** Mandatory in every answer. */
  readonly mandatory: readonly string[];
  readonly content: readonly string[];
  readonly amountField: string;
  readonly amount: (world: World, call: ModelCall, now: number) => Money;
  readonly reject: (world: World, call: ModelCall, now: number) => Rejection | undefined;
  readonly carryOut: (world: World, call: ModelCall, now: number, no: string) => void;
  readonly change?: Change;
}

interface Told {
  readonly amount: Money;
  readonly no: string | undefined;
  readonly time: string;
  /** Of a payment: when its hold ends. */
  readonly end: string;
  /** Of a refund: the one conditional field that its original calls for. */
  readonly original: Fields;
}

const references = ["originalReferenceNo", "originalPartnerReferenceNo"];
const pick = (call: ModelCall, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, call.request[name]]));
const ofHold = [...references, "merchantId", "subMerchantId"];

const payment: Write = {
  code: "63",
  number: "partnerReferenceNo",
  answer: (call, { amount, no, time, end }) => ({
    ...pick(call, ["partnerReferenceNo"]),
    additionalInfo: { validUpTo: end, ...(call.request["additionalInfo"] as Fields | undefined) },
    amount,
    paidTime: time,
    referenceNo: no,
  }),
  rejected: (_, { amount, time }) => ({ amount, paidTime: time }),
  mandatory: ["amount", "paidTime"],
  content: ["merchantId", "subMerchantId"],
  amountField: "amount",
  amount: (world, call) => paymentAmount(world, call) ?? moneyOf(0n, "IDR"),
  reject: rejectPayment,
  carryOut: place,
};

const changes = {
  authCapture: {
    code: "65",
    number: "partnerCaptureNo",
    numberedBy: "originalReferenceNo",
    answer: (call, { amount, no, time }) => ({
      ...pick(call, [...references, "partnerCaptureNo"]),
      captureAmount: amount,
      captureNo: no,
      captureTime: time,
    }),
    rejected: (_, { amount }) => ({ captureAmount: amount }),
    mandatory: ["captureAmount"],
    content: ofHold,
    amountField: "captureAmount",
    change: capture,
  },
  authVoid: {
    code: "67",
    number: "partnerVoidNo",
    numberedBy: "originalReferenceNo",
    answer: (call, { amount, no, time }) => ({
      ...pick(call, [...references, "partnerVoidNo"]),
      voidAmount: amount,
      voidNo: no,
      voidTime: time,
    }),
    rejected: (_, { amount }) => ({ voidAmount: amount }),
    mandatory: ["partnerVoidNo", "voidAmount"],
    content: ofHold,
    amountField: "voidAmount",
    change: release,
  },
  authRefund: {
    code: "69",
    number: "partnerRefundNo",
    numberedBy: "originalPartnerReferenceNo",
    answer: (call, { amount, no, time, original }) => ({
      ...pick(call, ["originalPartnerReferenceNo", "partnerRefundNo"]),
      refundAmount: amount,
      refundNo: no,
      refundTime: time,
      ...original,
    }),
    rejected: (_, { amount, no, time, original }) => ({
      refundAmount: amount,
      refundNo: no,
      refundTime: time,
      ...original,
    }),
    mandatory: ["refundNo", "refundTime"],
    content: ["merchantId", "subMerchantId", "originalCaptureNo", "externalStoreId"],
    amountField: "refundAmount",
    change: refund,
  },
} as const satisfies Record<string, Omit<Write, "amount" | "reject" | "carryOut">>;

export const writes: Readonly<Record<string, Write>> = {
  authPayment: payment,
  ...Object.fromEntries(Object.entries(changes).map(([name, write]) => [name, { ...write, ...write.change }])),
};

/** A refund's answer names the capture where the original lapsed, else the original; neither where it was not found. */
function originalOf(world: World, call: ModelCall, now: number): Fields {
  const hold = call.name === "authRefund" ? findHold(world, call) : undefined;
  if (!hold || !fits(hold, call)) return {};
  return hasLapsed(hold, now) ? pick(call, ["originalCaptureNo"]) : { originalReferenceNo: hold.no };
}

/** An accepted call, as repeats are compared with it. */
export interface Done {
  readonly call: ModelCall;
  readonly amount: Money;
  /** Whether that was all there was. */
  readonly wasAll: boolean;
}

/** What a call did that is about to be carried out. */
export function doneOf(world: World, call: ModelCall, now: number): Done {
  const { amount, amountField } = writes[call.name] as Write;
  const { [amountField]: _, ...request } = call.request;
  const [said, all] = [amount(world, call, now), amount(world, { ...call, request }, now)];
  return { call, amount: said, wasAll: worth(said) === worth(all) };
}

const worth = (money: Money) => `${minorOf(money)} ${money.currency}`;

/** Spec D7: two calls of one number that mean the same, whatever they leave out. */
export function hasSameContent(world: World, { call: first, amount: done, wasAll }: Done, call: ModelCall): boolean {
  const { amountField, content } = writes[call.name] as Write;
  const asked = call.request[amountField] as Money | undefined;
  const isAll = call.name === "authPayment" ? isDefault(world, call, done) : wasAll;
  const isSameAmount = asked ? worth(asked) === worth(done) : isAll || first.request[amountField] === undefined;
  const isSameFlag =
    (call.request["lastCapture"] === "true") === (first.request["lastCapture"] === "true") &&
    (call.request["voidRemainingAmount"] !== "true" || wasAll);
  const isSameRest = content.every((name) => call.request[name] === first.request[name]);
  return isSameAmount && isSameFlag && isSameRest && paysTheSame(world, first, call) && fitsHold(world, first, call);
}

function isDefault(world: World, call: ModelCall, done: Money): boolean {
  const { amount: _, ...request } = call.request;
  const byDefault = paymentAmount(world, { ...call, request });
  return byDefault !== undefined && worth(byDefault) === worth(done);
}

/** A payment's payer, where it names one; where it does not, the merchant's. */
function paysTheSame(world: World, first: ModelCall, call: ModelCall): boolean {
  if (call.name !== "authPayment") return true;
  const named = payerNamed(call);
  const hold = world.holds.find(
    (one) => one.partner === first.partner && one.number === first.request["partnerReferenceNo"],
  );
  if (named !== undefined) return named === hold?.payer;
  return payerNamed(first) === undefined || hold?.payer === merchantOf(world, first)?.payer;
}

function payerNamed({ customerAccountNo, request }: ModelCall): string | undefined {
  return (
    customerAccountNo ??
    (request["additionalInfo"] as { readonly sourceAccountNo?: string } | undefined)?.sourceAccountNo
  );
}

/** A refund need not say our number of its hold. */
function fitsHold(world: World, first: ModelCall, call: ModelCall): boolean {
  const { originalReferenceNo } = call.request;
  return (
    call.name === "authPayment" ||
    originalReferenceNo === undefined ||
    findHold(world, first)?.no === originalReferenceNo
  );
}

/** Whether a call uses the partner's number of another one. */
export function isSameNumber(first: ModelCall, call: ModelCall): boolean {
  const { number, numberedBy = number } = writes[first.name] as Write;
  const isSame = (field: string) => first.request[field] === call.request[field];
  return first.partner === call.partner && first.name === call.name && isSame(number) && isSame(numberedBy);
}

export function toldOf(world: World, call: ModelCall, now: number, no: string | undefined): Told {
  const write = writes[call.name];
  if (!write) throw new Error(`${call.name} is no write`);
  const amount = write.amount(world, call, now);
  const end = call.name === "authPayment" ? timeText(endOf(world, call, now)) : "";
  return { amount, no, time: timeText(now), end, original: originalOf(world, call, now) };
}
