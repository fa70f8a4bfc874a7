/** The command of one capture, as operation 65 makes it, without the request around it. */
import type { Command } from "../../packages/server/src/engine/command.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { decideCapture } from "../../packages/server/src/ledger/holds/capture.ts";
import { type Hold, remaining } from "../../packages/server/src/ledger/holds/hold.ts";
import { rejectReferences } from "../../packages/server/src/ledger/holds/references.ts";
import { reject } from "../../packages/server/src/ledger/rejection.ts";
import type { CaptureFacts } from "../../packages/server/src/operations/holds/hold-facts.ts";
import { writeMoney } from "../../packages/server/src/operations/money.ts";
import { internalAccounts } from "../../packages/server/src/operations/holds/find-hold.ts";
import { commandHead } from "../command-terms.ts";
import { captureAmount } from "./hold-supply.ts";

const currency = "IDR";

/** `id` is the external id and the partner's number: unique. */
export function captureCommand(
  id: string,
  { id: hold, partner, partnerReferenceNo, merchantId }: Hold,
): Command<unknown> {
  const amount = writeMoney({ amount: captureAmount, currency });
  const request = {
    originalReferenceNo: hold,
    originalPartnerReferenceNo: partnerReferenceNo,
    merchantId,
    partnerCaptureNo: id,
    title: "Bench",
    captureAmount: amount,
  };
  return {
    ...commandHead(
      partner,
      65,
      id,
      [captureAmount.toString(), currency, hold, partnerReferenceNo, merchantId],
      [hold, id],
    ),
    rejectionFacts: () => JSON.stringify({ request }),
    locks: { hold: { id: hold } },
    decide: (found, { now, reference }) => {
      const value = found.hold();
      const rejected = rejectReferences(value?.hold, { partner, id: hold, partnerReferenceNo, merchantId });
      if (rejected || !value) return rejected ?? reject("originalNotFound");
      const decision = decideCapture(
        {
          amount: { amount: captureAmount, currency },
          isLast: false,
          now,
          countMax: reference.holdEventsMax,
          refundMs: 86_400_000,
        },
        value.hold,
        value.settlement,
        internalAccounts(found, newId()),
      );
      if (decision.kind !== "effect") return decision;
      const { to, amount: _, ...effect } = decision.effect;
      const facts: CaptureFacts = {
        request,
        amount,
        isAll: captureAmount === remaining(value.hold),
        hold,
        from: value.payer.accountNo,
        to: to.accountNo,
      };
      return { kind: "effect", effect: { ...effect, facts } };
    },
  };
}
