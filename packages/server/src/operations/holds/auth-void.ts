/** Auth void (67): releases the remainder of a hold, in full or in parts; final at once (spec D10). */
import { formatTimestamp, operations } from "@titian/contract";
import { toReferenceNo } from "../../basics/ids.ts";
import { holdAt, remaining } from "../../ledger/holds/hold.ts";
import { reject } from "../../ledger/rejection.ts";
import { decideVoid } from "../../ledger/holds/void.ts";
import type { RejectedChange, VoidPayload } from "./hold-payload.ts";
import { amountFingerprint, readOptional, writeMoney } from "../money.ts";
import { amountThatApplies, findOwnHold, holdIdOf } from "./find-hold.ts";
import { haveSameFields, isSameAmount } from "../compare-content.ts";
import { keptFields, write } from "../write.ts";

export const handleAuthVoid = write<"authVoid", VoidPayload, undefined, RejectedChange>(operations.authVoid, {
  fingerprint: ({ request }) => [
    ...amountFingerprint(request.voidAmount),
    request.originalPartnerReferenceNo,
    request.merchantId,
    request.subMerchantId,
    request.voidRemainingAmount === "true" || !request.voidAmount ? "all" : undefined,
  ],
  hasSameContent: ({ request }, first) =>
    isSameAmount(request.voidAmount, first.request.voidAmount, first) &&
    haveSameFields(request, first.request, ["originalPartnerReferenceNo", "merchantId", "subMerchantId"]) &&
    (request.voidRemainingAmount !== "true" || first.isAll || first.request.voidRemainingAmount === "true"),
  locks: ({ request }) => ({ hold: { id: holdIdOf(request.originalReferenceNo) } }),
  decide: (order, found, context) => {
    const located = findOwnHold(order, found, context);
    if (!located.ok) return located.rejected;
    const { request } = order;
    const asked = readOptional(request.voidAmount);
    if (asked === "tooFine") return reject("currencyMismatch", "voidAmount.value");
    const { hold } = located.value;
    const isAll = request.voidRemainingAmount === "true";
    const { holdEventsMax: countMax } = context.reference;
    const decision = decideVoid({ amount: asked, isAll, now: context.now, countMax }, hold);
    if (decision.kind !== "effect") return decision;
    const { amount, ...effect } = decision.effect;
    const payload: VoidPayload = {
      request: keptFields(request),
      amount: writeMoney({ amount, currency: hold.currency }),
      isAll: amount === remaining(hold),
      hold: hold.id,
    };
    return { kind: "effect", effect: { ...effect, payload } };
  },
  response: ({ request, amount }, { id, at }) => ({
    partnerVoidNo: request.partnerVoidNo,
    voidAmount: amount,
    originalReferenceNo: request.originalReferenceNo,
    originalPartnerReferenceNo: request.originalPartnerReferenceNo,
    voidNo: toReferenceNo(id),
    voidTime: formatTimestamp(at),
  }),
  rejectionPayload: (order, found, { now }) => ({
    amount: amountThatApplies(order.request.voidAmount, order, found, ({ hold }) => remaining(holdAt(hold, now))),
  }),
  rejectionResponse: ({ amount }) => ({ voidAmount: amount }),
  latestStatus: () => "00",
});
