/** Writes one transfer (18, 22, 23) back that a rail was handed and the database has forgotten: in one commit. */
import type { Money } from "@titian/contract";
import type { Command } from "../../engine/command.ts";
import { newId } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import type { RejectionKind } from "../../ledger/rejection.ts";
import { adoptTransfer } from "../../ledger/transfers/adopt.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import {
  type AdoptDeps,
  adoptedBefore,
  adoptInstructions,
  type AdoptionResult,
  endAdoption,
  explainOutcome,
  instructionOf,
  keysOf,
  moneyOf,
  openAdoption,
  refused,
  submitAdoption,
  wasRejected,
} from "./adopt-deps.ts";
import { debitedAmount, type ForgottenPayment } from "./forgotten.ts";

/** As an accepted transfer is kept, with the account that was debited. */
interface Payload {
  readonly request: ForgottenPayment["request"];
  readonly amount: Money;
  readonly from: string;
  readonly to: string;
  readonly sentAmount: Money;
  readonly source: string;
}

export async function adoptForgottenTransfer(
  deps: AdoptDeps,
  payment: ForgottenPayment,
  reason: string,
): Promise<readonly AdoptionResult[]> {
  const known = await findTransfer(deps.reads, payment.id);
  if (known) return adoptKnown(deps, payment, known, reason);
  const { referenceNo } = payment;
  const act = await openAdoption(deps, payment, debitedAmount(payment), reason);
  if (act.kind !== "approved") return refused([payment], act.kind === "done" ? adoptedBefore : act.message);
  let owedBecause: RejectionKind | undefined;
  const asked = { reason, actId: act.id, onOwed: (because: RejectionKind | undefined) => (owedBecause = because) };
  const outcome = await submitAdoption(deps, (deadline) => commandOf(deps, payment, { ...asked, deadline }));
  await endAdoption(deps, act.id, outcome);
  if (outcome.kind === "effect") {
    const isOwed = outcome.payload.from === restoredOf(payment);
    return [{ referenceNo, ...(isOwed ? { kind: "owed", owedBecause } : { kind: "debited" }) }];
  }
  if (outcome.kind !== "repeat") return refused([payment], explainOutcome(outcome));
  const repeat = await findTransfer(deps.reads, outcome.original.id);
  if (outcome.repeat === "numberTaken" || repeat === undefined)
    return refused([payment], "its partner has used its number for another request since");
  return adoptKnown(deps, payment, repeat, reason);
}

/** The ledger has the payment, under the number of the line or of the partner's repeat. */
async function adoptKnown(
  deps: AdoptDeps,
  payment: ForgottenPayment,
  { id, rail, currency, sentAmount, state }: RailTransfer,
  reason: string,
): Promise<readonly AdoptionResult[]> {
  const isSame = rail === payment.rail && currency === payment.currency && sentAmount === payment.sentAmount;
  if (!isSame) return refused([payment], "the ledger has another transfer of its number");
  if (state === "rejected") return refused([payment], wasRejected);
  return adoptInstructions(deps, [payment], reason, id === payment.id ? "known" : "repeated");
}

interface Asked {
  readonly reason: string;
  readonly actId: string;
  readonly deadline: number;
  readonly onOwed: (because: RejectionKind | undefined) => void;
}

function commandOf(
  deps: AdoptDeps,
  payment: ForgottenPayment,
  { reason, actId, deadline, onOwed }: Asked,
): Command<Payload> {
  const { id, partner, service, rail, currency, sentAmount, fee, payerAccountNo, request, freeForm } = payment;
  const suspenseNo = internalAccountNo("suspense", currency, rail, newTransfersPart);
  const newIds = { suspenseId: newId(), restoredId: newId() };
  const { partnerReferenceKey, requestFingerprint } = payment;
  return {
    id,
    deadline,
    restores: true,
    keys: keysOf(payment, { partnerReferenceKey, requestFingerprint }),
    ...(freeForm !== undefined && { freeForm }),
    locks: { accountNumbers: [payerAccountNo, suspenseNo, restoredOf(payment)] },
    decide: (found, { now }) => {
      const { effect, debited } = adoptTransfer(
        {
          terms: {
            id,
            partner,
            service,
            rail,
            currency,
            suspensePart: newTransfersPart,
            sentAmount,
            fee,
            dailyLimitAmount: payment.requestedAmount,
            businessDate: payment.day,
            at: now,
          },
          actId,
          suspenseId: newIds.suspenseId,
        },
        found.internalAccount("suspense", currency, rail, newTransfersPart),
        {
          payer: found.account(payerAccountNo),
          restored: found.internalAccount("restored", currency),
          restoredId: newIds.restoredId,
        },
      );
      onOwed(debited.owedBecause);
      const payload: Payload = {
        request,
        amount: moneyOf(debitedAmount(payment), currency),
        from: debited.account.accountNo,
        to: suspenseNo,
        sentAmount: moneyOf(sentAmount, currency),
        source: debited.account.id,
      };
      return { kind: "effect", effect: { ...effect, adopted: [instructionOf(payment, reason, deps)], payload } };
    },
  };
}

function restoredOf({ currency }: Pick<ForgottenPayment, "currency">): string {
  return internalAccountNo("restored", currency);
}
