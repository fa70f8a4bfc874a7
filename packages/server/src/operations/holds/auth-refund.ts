/** Auth refund (69): refunds captures, in full or in parts; final at once (spec D10). */
import { formatTimestamp, operations, type RequestOf } from "@titian/contract";
import { partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import { hasLapsed, holdAt } from "../../ledger/holds/hold.ts";
import { rejectReferences } from "../../ledger/holds/references.ts";
import { decideRefund, refundable } from "../../ledger/holds/refund.ts";
import { reject } from "../../ledger/rejection.ts";
import type { RefundPayload, RejectedChange } from "./hold-payload.ts";
import { amountFingerprint, readOptional, writeMoney } from "../money.ts";
import { amountThatApplies, findOwnHold, holdIdOf, internalAccounts, referencesOf } from "./find-hold.ts";
import { haveSameFields, isSameAmount } from "../compare-content.ts";
import { keptFields, write, type WriteSpec } from "../write.ts";

export const authRefund: WriteSpec<"authRefund", RefundPayload, undefined, RejectedChange> = {
  fingerprint: ({ request }) => [
    ...amountFingerprint(request.refundAmount),
    request.originalReferenceNo,
    request.originalCaptureNo,
    request.merchantId,
    request.subMerchantId,
    request.externalStoreId,
  ],
  hasSameContent: ({ request }, first) =>
    isSameAmount(request.refundAmount, first.request.refundAmount, first) &&
    haveSameFields(request, first.request, ["originalCaptureNo", "merchantId", "subMerchantId", "externalStoreId"]) &&
    (request.originalReferenceNo === undefined || holdIdOf(request.originalReferenceNo) === first.hold),
  locks: ({ request, partner }) => ({
    hold: {
      partnerReferenceKey: partnerReferenceKey(
        partner,
        operations.authPayment.code,
        request.originalPartnerReferenceNo,
      ),
      captures: { named: namedCapture(request) },
    },
  }),
  decide: (order, found, context) => {
    const located = findOwnHold(order, found, context);
    if (!located.ok) return located.rejected;
    const { request } = order;
    const asked = readOptional(request.refundAmount);
    if (asked === "tooFine") return reject("currencyMismatch", "refundAmount.value");
    const { hold, settlement } = located.value;
    const captureId = namedCapture(request);
    const { holdEventsMax: countMax } = context.reference;
    const decision = decideRefund(
      { amount: asked, captureId, now: context.now, countMax },
      located.value,
      internalAccounts(found, newId()),
    );
    if (decision.kind !== "effect") return decision;
    const { amount, to, ...effect } = decision.effect;
    const payload: RefundPayload = {
      request: keptFields(request),
      amount: writeMoney({ amount, currency: hold.currency }),
      isAll: amount === refundable(located.value.captures, captureId, context.now),
      hold: hold.id,
      lapsed: hasLapsed(holdAt(hold, context.now)),
      from: settlement.accountNo,
      to: to.accountNo,
    };
    return { kind: "effect", effect: { ...effect, payload } };
  },
  response: ({ request, amount, hold, lapsed }, { id, at }) => ({
    refundNo: toReferenceNo(id),
    refundTime: formatTimestamp(at),
    originalPartnerReferenceNo: request.originalPartnerReferenceNo,
    partnerRefundNo: request.partnerRefundNo,
    refundAmount: amount,
    ...namesOriginal(lapsed, hold, request.originalCaptureNo),
  }),
  rejectionPayload: (order, found, { now }) => {
    const { request } = order;
    const original = found.hold();
    const isFound = original && !rejectReferences(original.hold, referencesOf(order));
    return {
      amount: amountThatApplies(request.refundAmount, order, found, ({ captures }) =>
        refundable(captures, namedCapture(request), now),
      ),
      ...(isFound && { hold: original.hold.id, lapsed: hasLapsed(holdAt(original.hold, now)) }),
    };
  },
  rejectionResponse: ({ request, amount, hold, lapsed }, { id, at }) => ({
    refundNo: toReferenceNo(id),
    refundTime: formatTimestamp(at),
    refundAmount: amount,
    ...(hold !== undefined && namesOriginal(lapsed === true, hold, request.originalCaptureNo)),
  }),
  latestStatus: () => "00",
};

export const handleAuthRefund = write(operations.authRefund, authRefund);

/** Command id of the named capture. */
export function namedCapture({ originalCaptureNo }: RequestOf<"authRefund">): string | undefined {
  return originalCaptureNo === undefined ? undefined : holdIdOf(originalCaptureNo);
}

/** Conditional fields: the capture of a lapsed hold, else the hold. */
function namesOriginal(lapsed: boolean, hold: string, originalCaptureNo: string | undefined) {
  return lapsed ? { originalCaptureNo } : { originalReferenceNo: toReferenceNo(hold) };
}
