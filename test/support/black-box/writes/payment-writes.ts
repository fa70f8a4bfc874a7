/** Payments (63) and the changes of their holds (65, 67, 69). */
import { type Json, newNumber } from "../caller.ts";
import { toMinor } from "../control.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../payments/hold-bodies.ts";
import { capture, hold, type HoldState, holdOf, type Payment } from "../payments/holds.ts";
import type { PaymentFixture } from "../payments/payment-fixture.ts";
import { expectCode, idr } from "../transfers.ts";
import type { PartnerName, Write } from "./write.ts";

/** A write to a hold that is there. */
export interface ChangeWrite extends Write {
  bodyOf(payment: Payment): Json;
}

export type PaymentWrites = readonly [payment: Write, capture: ChangeWrite, voiding: ChangeWrite, refund: ChangeWrite];

const value = "10.00";
const timesOf = (minor: bigint) => Number(minor) / 1_000;
const endsAtOnce = { value, isSentOn: false, isTransfer: false, untilDone: async () => undefined } as const;
const noAmount = (amount: string) => [{ [amount]: undefined }, { [amount]: { value, currency: "USD" } }];

export function paymentWrites(fixture: PaymentFixture): PaymentWrites {
  return [paymentOf(fixture), captureOf(fixture), voidOf(fixture), refundOf(fixture)];
}

function merchantOf(fixture: PaymentFixture, partner: PartnerName): string {
  return fixture[partner].partner.merchants[1] ?? "";
}

function paymentOf(fixture: PaymentFixture): Write {
  const { control, hotel, newPayer } = fixture;
  return {
    ...endsAtOnce,
    service: "63",
    path: paths.payment,
    ofAmount: (_, text) => ({ amount: idr(text) }),
    number: "partnerReferenceNo",
    mandatory: ["amount", "paidTime"],
    onSuccess: ["referenceNo"],
    statusAfter: (days) => (days < 7 ? "01" : "05"),
    newIntent: async (partnerId = "alpha") => {
      const { accountNo, additionalInfo } = await newPayer("1000.00", { partnerId });
      return {
        body: paymentBody(merchantOf(fixture, partnerId), { amount: idr(value), additionalInfo }),
        effect: async () => timesOf(100_000n - toMinor((await control.account(accountNo)).availableBalance)),
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
        ...noAmount("amount"),
        { merchantId: hotel.merchantId },
        { subMerchantId: "SUB-1" },
        { additionalInfo: (await newPayer()).additionalInfo },
        { additionalInfo: {} },
      ],
    },
  };
}

interface ChangeTerms extends Pick<ChangeWrite, "service" | "path" | "number" | "mandatory" | "onSuccess"> {
  readonly amount: string;
  readonly bodyOf: (payment: Payment, more: Json) => Json;
  /** Sum that it adds to, beside the part of the hold that is captured before it. */
  readonly sum: keyof HoldState;
  readonly isCaptured?: true;
  readonly same: readonly Json[];
  other(): Promise<readonly Json[]>;
}

function changeOf(
  fixture: PaymentFixture,
  { bodyOf, sum, isCaptured, same, other, ...terms }: ChangeTerms,
): ChangeWrite {
  const { control, hotel } = fixture;
  const changeBodyOf = (payment: Payment) => bodyOf(payment, { [terms.amount]: idr(value) });
  return {
    ...endsAtOnce,
    ...terms,
    ofAmount: (_, text) => ({ [terms.amount]: idr(text) }),
    bodyOf: changeBodyOf,
    statusAfter: () => "00",
    newIntent: async (partner = "alpha") => {
      const payment = await place(fixture, partner);
      if (isCaptured) expectCode(await capture(fixture[partner], payment), "2006500");
      return {
        body: changeBodyOf(payment),
        effect: async () => timesOf(toMinor((await holdOf(control, payment))[sum])),
      };
    },
    content: {
      same: () => same,
      // Other references that a call may give for its hold, none of which is right.
      other: async () => [
        ...noAmount(terms.amount),
        { merchantId: hotel.merchantId },
        { subMerchantId: "SUB-1" },
        ...(await other()),
      ],
    },
  };
}

function captureOf(fixture: PaymentFixture): ChangeWrite {
  return changeOf(fixture, {
    service: "65",
    path: paths.capture,
    amount: "captureAmount",
    number: "partnerCaptureNo",
    mandatory: ["captureAmount"],
    onSuccess: ["captureNo", "captureTime"],
    bodyOf: captureBody,
    sum: "captured",
    same: [{ title: "Another", subMerchantId: null, additionalInfo: { a: 1 } }, { lastCapture: "false" }],
    other: async () => [{ lastCapture: "true" }, { originalPartnerReferenceNo: newNumber() }],
  });
}

function voidOf(fixture: PaymentFixture): ChangeWrite {
  return changeOf(fixture, {
    service: "67",
    path: paths.void,
    amount: "voidAmount",
    number: "partnerVoidNo",
    mandatory: ["voidAmount", "partnerVoidNo"],
    onSuccess: ["voidNo", "voidTime"],
    bodyOf: voidBody,
    sum: "voided",
    same: [{ reason: "Another", subMerchantId: null, additionalInfo: { a: 1 } }, { voidRemainingAmount: "false" }],
    other: async () => [{ voidRemainingAmount: "true" }, { originalPartnerReferenceNo: newNumber() }],
  });
}

function refundOf(fixture: PaymentFixture): ChangeWrite {
  return changeOf(fixture, {
    service: "69",
    path: paths.refund,
    amount: "refundAmount",
    number: "partnerRefundNo",
    mandatory: ["refundNo", "refundTime"],
    onSuccess: [],
    bodyOf: refundBody,
    sum: "refunded",
    isCaptured: true,
    same: [{ reason: "Another", originalReferenceNo: "", additionalInfo: { a: 1 } }],
    other: async () => [
      { externalStoreId: "STORE-1" },
      { originalCaptureNo: newNumber() },
      { originalReferenceNo: (await place(fixture, "alpha")).referenceNo },
    ],
  });
}

/** A hold of 100.00 whose payer has 1,000.00 and nothing else. */
async function place(fixture: PaymentFixture, partnerId: PartnerName): Promise<Payment> {
  const { additionalInfo } = await fixture.newPayer("1000.00", { partnerId });
  return hold(fixture[partnerId], merchantOf(fixture, partnerId), { additionalInfo });
}
