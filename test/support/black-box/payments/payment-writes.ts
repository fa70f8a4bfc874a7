/** The four writes 63, 65, 67 and 69 for tests that do the same with each: an intent of Rp 10, and how often it took effect. */
import assert from "node:assert/strict";
import { type Json, newNumber } from "../caller.ts";
import { toMinor } from "../control.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "./hold-bodies.ts";
import { capture, hold, holdOf, type Payment } from "./holds.ts";
import type { PaymentFixture } from "./payment-fixture.ts";
import { idr } from "../transfers.ts";

/** Something that one call shall do once. */
export interface Intent {
  readonly body: Json;
  /** What it has come to so far, in minor units: 1000 after once. */
  effect(): Promise<bigint>;
}

export interface PaymentWrite {
  readonly service: "63" | "65" | "67" | "69";
  readonly path: string;
  /** The fields of its amount and of the partner's number. */
  readonly amount: string;
  readonly number: string;
  /** What every answer has, and what only a success has. */
  readonly mandatory: readonly string[];
  readonly onSuccess: readonly string[];
  /** `latestTransactionStatus` of a repeat right after it. */
  readonly status: "00" | "01";
  newIntent(): Promise<Intent>;
  /** Changes of a body that leave its content the same, and that make it another (spec D7). */
  readonly content: {
    same(body: Json): readonly Json[];
    other(body: Json): Promise<readonly Json[]>;
  };
}

/** A write to a hold that is there. */
export interface ChangeWrite extends PaymentWrite {
  bodyOf(payment: Payment): Json;
}

const ten = idr("10.00");

export type PaymentWrites = readonly [
  payment: PaymentWrite,
  capture: ChangeWrite,
  voiding: ChangeWrite,
  refund: ChangeWrite,
];

export function paymentWrites(fixture: PaymentFixture): PaymentWrites {
  return [paymentOf(fixture), captureOf(fixture), voidOf(fixture), refundOf(fixture)];
}

function paymentOf({ control, hotel, merchant, newPayer }: PaymentFixture): PaymentWrite {
  return {
    service: "63",
    path: paths.payment,
    amount: "amount",
    number: "partnerReferenceNo",
    mandatory: ["amount", "paidTime"],
    onSuccess: ["referenceNo"],
    status: "01",
    newIntent: async () => {
      const { accountNo, additionalInfo } = await newPayer();
      return {
        body: paymentBody(merchant.merchantId, { amount: ten, additionalInfo }),
        effect: async () => 100_000n - toMinor((await control.account(accountNo)).availableBalance),
      };
    },
    content: {
      same: (body) => {
        const payer = body["additionalInfo"] as Json;
        return [
          { title: "Another", feeType: "OUR", mcc: "1", productCode: "P", items: [1], subMerchantId: "" },
          { additionalInfo: { ...payer, externalStoreId: "STORE-1", note: "another" } },
          { additionalInfo: { ...payer, validUpTo: "2020-01-01T00:00:00Z" } },
        ];
      },
      other: async () => [
        { merchantId: hotel.merchantId },
        { subMerchantId: "SUB-1" },
        { additionalInfo: (await newPayer()).additionalInfo },
        { additionalInfo: {} },
      ],
    },
  };
}

function captureOf(fixture: PaymentFixture): ChangeWrite {
  const bodyOf = (payment: Payment) => captureBody(payment, { captureAmount: ten });
  return {
    service: "65",
    path: paths.capture,
    amount: "captureAmount",
    number: "partnerCaptureNo",
    mandatory: ["captureAmount"],
    onSuccess: ["captureNo", "captureTime"],
    status: "00",
    bodyOf,
    newIntent: async () => {
      const payment = await place(fixture);
      return { body: bodyOf(payment), effect: sumOf(fixture, payment, "captured") };
    },
    content: {
      same: () => [{ title: "Another", subMerchantId: null, additionalInfo: { a: 1 } }, { lastCapture: "false" }],
      other: async () => [
        { lastCapture: "true" },
        { originalPartnerReferenceNo: newNumber() },
        ...otherReferences(fixture),
      ],
    },
  };
}

function voidOf(fixture: PaymentFixture): ChangeWrite {
  const bodyOf = (payment: Payment) => voidBody(payment, { voidAmount: ten });
  return {
    service: "67",
    path: paths.void,
    amount: "voidAmount",
    number: "partnerVoidNo",
    mandatory: ["voidAmount", "partnerVoidNo"],
    onSuccess: ["voidNo", "voidTime"],
    status: "00",
    bodyOf,
    newIntent: async () => {
      const payment = await place(fixture);
      return { body: bodyOf(payment), effect: sumOf(fixture, payment, "voided") };
    },
    content: {
      same: () => [
        { reason: "Another", subMerchantId: null, additionalInfo: { a: 1 } },
        { voidRemainingAmount: "false" },
      ],
      other: async () => [
        { voidRemainingAmount: "true" },
        { originalPartnerReferenceNo: newNumber() },
        ...otherReferences(fixture),
      ],
    },
  };
}

function refundOf(fixture: PaymentFixture): ChangeWrite {
  const bodyOf = (payment: Payment) => refundBody(payment, { refundAmount: ten });
  return {
    service: "69",
    path: paths.refund,
    amount: "refundAmount",
    number: "partnerRefundNo",
    mandatory: ["refundNo", "refundTime"],
    onSuccess: [],
    status: "00",
    bodyOf,
    newIntent: async () => {
      const payment = await place(fixture);
      assert.equal((await capture(fixture.alpha, payment)).code, "2006500");
      return { body: bodyOf(payment), effect: sumOf(fixture, payment, "refunded") };
    },
    content: {
      same: () => [{ reason: "Another", originalReferenceNo: "", additionalInfo: { a: 1 } }],
      other: async () => [
        { externalStoreId: "STORE-1" },
        { originalCaptureNo: newNumber() },
        { originalReferenceNo: (await place(fixture)).referenceNo },
        ...otherReferences(fixture),
      ],
    },
  };
}

/** A hold of 100.00 whose payer has nothing else. */
async function place({ alpha, merchant, newPayer }: PaymentFixture): Promise<Payment> {
  const { additionalInfo } = await newPayer();
  return hold(alpha, merchant.merchantId, { additionalInfo });
}

function sumOf({ control }: PaymentFixture, payment: Payment, sum: "captured" | "voided" | "refunded") {
  return async () => toMinor((await holdOf(control, payment))[sum]);
}

/** What else a call may say of its hold, and is not so. */
function otherReferences({ hotel }: PaymentFixture): readonly Json[] {
  return [{ merchantId: hotel.merchantId }, { subMerchantId: "SUB-1" }];
}
