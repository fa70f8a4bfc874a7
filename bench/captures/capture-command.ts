/** The command of one capture, as operation 65 makes it, without the request around it. */
import type { Command } from "../../packages/server/src/engine/command.ts";
import { contentHash, externalKey, numberKey, signatureKey } from "../../packages/server/src/engine/keys.ts";
import { newId } from "../../packages/server/src/ids.ts";
import { decideCapture } from "../../packages/server/src/ledger/capture.ts";
import { type Hold, remaining } from "../../packages/server/src/ledger/hold.ts";
import { refuseReferences } from "../../packages/server/src/ledger/own-hold.ts";
import { refuse } from "../../packages/server/src/ledger/refusal.ts";
import type { CaptureFacts } from "../../packages/server/src/operations/hold-facts.ts";
import { writeMoney } from "../../packages/server/src/operations/money-text.ts";
import { ownAccounts } from "../../packages/server/src/operations/own-accounts.ts";
import { bodyHash, patienceMs } from "../command-terms.ts";
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
    id: newId(),
    deadline: Date.now() + patienceMs,
    partner,
    keys: {
      partner,
      service: 65,
      externalId: id,
      externalKey: externalKey(partner, id),
      numberKey: numberKey(partner, "65", id),
      signatureKey: signatureKey(partner, id),
      sentAt: Date.now(),
      bodyHash,
      contentHash: contentHash([captureAmount.toString(), currency, hold, partnerReferenceNo, merchantId]),
    },
    refusalFacts: () => JSON.stringify({ request }),
    locks: { hold: { id: hold } },
    decide: (found, { now, reference }) => {
      const value = found.hold();
      const refused = refuseReferences(value?.hold, { partner, id: hold, partnerReferenceNo, merchantId });
      if (refused || !value) return refused ?? refuse("originalNotFound");
      const decision = decideCapture(
        { amount: { amount: captureAmount, currency }, isLast: false, now, most: reference.changesPerHoldMax },
        value.hold,
        value.settlement,
        ownAccounts(found, newId()),
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
