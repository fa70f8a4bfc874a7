/** The fields of each answer as decision D8 lists them, and what repeats compare (D7). */
import { type Change, capture, findHold, fits, refund, release } from "./naive-changes.ts";
import { endOf, paymentAmount, type Refusal, refusePayment, place } from "./naive-payments.ts";
import { hasLapsed, minorOf, type ModelCall, type Money, moneyOf, timeText, type World } from "./naive-world.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A write of the interface, as the model knows it. */
export interface Write {
  readonly code: string;
  /** The field that holds the partner's own number. */
  readonly number: string;
  /** The fields of the answer; `no` and `time` are ours, and only a refund has them also when refused. */
  readonly answer: (call: ModelCall, told: Told) => Fields;
  readonly refused: (call: ModelCall, told: Told) => Fields;
  /** Mandatory in every answer. */
  readonly mandatory: readonly string[];
  readonly content: readonly string[];
  readonly amountField: string;
  readonly amount: (world: World, call: ModelCall, now: number) => Money;
  readonly refuse: (world: World, call: ModelCall, now: number) => Refusal | undefined;
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
  refused: (_, { amount, time }) => ({ amount, paidTime: time }),
  mandatory: ["amount", "paidTime"],
  content: ["merchantId", "subMerchantId"],
  amountField: "amount",
  amount: (world, call) => paymentAmount(world, call) ?? moneyOf(0n, "IDR"),
  refuse: refusePayment,
  carryOut: place,
};

const changes = {
  authCapture: {
    code: "65",
    number: "partnerCaptureNo",
    answer: (call, { amount, no, time }) => ({
      ...pick(call, [...references, "partnerCaptureNo"]),
      captureAmount: amount,
      captureNo: no,
      captureTime: time,
    }),
    refused: (_, { amount }) => ({ captureAmount: amount }),
    mandatory: ["captureAmount"],
    content: [...ofHold, "lastCapture"],
    amountField: "captureAmount",
    change: capture,
  },
  authVoid: {
    code: "67",
    number: "partnerVoidNo",
    answer: (call, { amount, no, time }) => ({
      ...pick(call, [...references, "partnerVoidNo"]),
      voidAmount: amount,
      voidNo: no,
      voidTime: time,
    }),
    refused: (_, { amount }) => ({ voidAmount: amount }),
    mandatory: ["partnerVoidNo", "voidAmount"],
    content: [...ofHold, "voidRemainingAmount"],
    amountField: "voidAmount",
    change: release,
  },
  authRefund: {
    code: "69",
    number: "partnerRefundNo",
    answer: (call, { amount, no, time, original }) => ({
      ...pick(call, ["originalPartnerReferenceNo", "partnerRefundNo"]),
      refundAmount: amount,
      refundNo: no,
      refundTime: time,
      ...original,
    }),
    refused: (_, { amount, no, time, original }) => ({
      refundAmount: amount,
      refundNo: no,
      refundTime: time,
      ...original,
    }),
    mandatory: ["refundNo", "refundTime"],
    content: [...ofHold, "originalCaptureNo", "externalStoreId"],
    amountField: "refundAmount",
    change: refund,
  },
} as const satisfies Record<string, Omit<Write, "amount" | "refuse" | "carryOut">>;

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

/** What two calls under one number must have in common: amounts by their worth, and who pays. */
export function contentOf(call: ModelCall, { content, amountField }: Write): string {
  const amount = call.request[amountField] as Money | undefined;
  const info = call.name === "authPayment" ? (call.request["additionalInfo"] as Fields | undefined) : undefined;
  const payer = call.name === "authPayment" ? [call.customerAccountNo, info?.["sourceAccountNo"]] : [];
  const worth = amount && `${minorOf(amount)} ${amount.currency}`;
  return JSON.stringify([worth, ...payer, ...content.map((name) => call.request[name])]);
}

export function toldOf(world: World, call: ModelCall, now: number, no: string | undefined): Told {
  const write = writes[call.name];
  if (!write) throw new Error(`${call.name} is no write`);
  const amount = write.amount(world, call, now);
  const end = call.name === "authPayment" ? timeText(endOf(world, call, now)) : "";
  return { amount, no, time: timeText(now), end, original: originalOf(world, call, now) };
}
