/** Auth capture (65): charges a hold, in full or in parts; final at once (spec D10). */
import { formatTimestamp, operations } from "@titian/contract";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import { decideCapture } from "../../ledger/holds/capture.ts";
import { defaultRefundDays, holdAt, remaining } from "../../ledger/holds/hold.ts";
import { merchantKeyOf, type MerchantTerms } from "../../ledger/reference/reference-data.ts";
import { reject } from "../../ledger/rejection.ts";
import type { CapturePayload, RejectedChange } from "./hold-payload.ts";
import { amountFingerprint, readOptional, writeMoney } from "../money.ts";
import { amountThatApplies, findOwnHold, holdIdOf, internalAccounts } from "./find-hold.ts";
import { haveSameFields, isSameAmount } from "../compare-content.ts";
import { keptFields, write } from "../write.ts";

export const handleAuthCapture = write<"authCapture", CapturePayload, undefined, RejectedChange>(
  operations.authCapture,
  {
    fingerprint: ({ request }) => [
      ...amountFingerprint(request.captureAmount),
      request.originalPartnerReferenceNo,
      request.merchantId,
      request.subMerchantId,
      request.lastCapture === "true" ? "last" : undefined,
    ],
    hasSameContent: ({ request }, first) =>
      isSameAmount(request.captureAmount, first.request.captureAmount, first) &&
      haveSameFields(request, first.request, ["originalPartnerReferenceNo", "merchantId", "subMerchantId"]) &&
      (request.lastCapture === "true") === (first.request.lastCapture === "true"),
    locks: ({ request }) => ({ hold: { id: holdIdOf(request.originalReferenceNo) } }),
    decide: (order, found, context) => {
      const located = findOwnHold(order, found, context);
      if (!located.ok) return located.rejected;
      const { request } = order;
      const amount = readOptional(request.captureAmount);
      if (amount === "tooFine") return reject("currencyMismatch", "captureAmount.value");
      const { hold, payer, settlement } = located.value;
      const { now, reference } = context;
      const refundMs = refundMsOf(reference.merchants.get(merchantKeyOf(hold.partner, hold.merchantId)));
      const decision = decideCapture(
        { amount, isLast: request.lastCapture === "true", now, countMax: reference.holdEventsMax, refundMs },
        hold,
        settlement,
        internalAccounts(found, newId()),
      );
      if (decision.kind !== "effect") return decision;
      const { amount: captured, to, ...effect } = decision.effect;
      const payload: CapturePayload = {
        request: keptFields(request),
        amount: writeMoney({ amount: captured, currency: hold.currency }),
        isAll: captured === remaining(hold),
        hold: hold.id,
        from: payer.accountNo,
        to: to.accountNo,
      };
      return { kind: "effect", effect: { ...effect, payload } };
    },
    response: ({ request, amount }, { id, at }) => ({
      captureAmount: amount,
      originalReferenceNo: request.originalReferenceNo,
      originalPartnerReferenceNo: request.originalPartnerReferenceNo,
      partnerCaptureNo: request.partnerCaptureNo,
      captureNo: toReferenceNo(id),
      captureTime: formatTimestamp(at),
    }),
    rejectionPayload: (order, found, { now }) => ({
      amount: amountThatApplies(order.request.captureAmount, order, found, ({ hold }) => remaining(holdAt(hold, now))),
    }),
    rejectionResponse: ({ amount }) => ({ captureAmount: amount }),
    latestStatus: () => "00",
  },
);

/** A node that has not heard of the merchant captures all the same: what was promised goes on. */
function refundMsOf(merchant: MerchantTerms | undefined): number {
  return merchant?.refundMs ?? defaultRefundDays * 86_400_000;
}
