/** Intrabank transfer (17): both accounts are ours, decided and final in one command (spec D6, D11). */
import { type Account, type DailyUse, useAfter } from "../accounts/account.ts";
import { mayDebit, rejectOverflow, rejectPayeeState, rejectPayment, rejectState } from "../accounts/debit.ts";
import type { Minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { type Decision, reject } from "../rejection.ts";

export interface IntrabankOrder {
  /** Internal id of the partner who asks. */
  readonly partner: string;
  readonly amount: Minor;
  readonly currency: string;
  /** Business day the order is decided on. */
  readonly day: number;
}

export interface IntrabankEffect {
  readonly postings: readonly Posting[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/**
 * Decides an intrabank transfer. If several rejections apply, the first of this order is answered (spec D2, step 14):
 * exists and is the caller's, belongs together, state, amount, counts and daily limit, funds.
 */
export function decideIntrabankTransfer(
  order: IntrabankOrder,
  source: Account | undefined,
  beneficiary: Account | undefined,
): Decision<IntrabankEffect> {
  if (!source || !mayDebit(source, order.partner)) return reject("accountNotPermitted", "sourceAccountNo");
  return payWithinBank(order, source, beneficiary);
}

/** The same once it is known that the account may be debited: its partner may, or its holder approved. */
export function payWithinBank(
  order: IntrabankOrder,
  source: Account,
  beneficiary: Account | undefined,
): Decision<IntrabankEffect> {
  if (!beneficiary || beneficiary.purpose !== "customer") return reject("unknownBeneficiary", "beneficiaryAccountNo");
  if (source.id === beneficiary.id) return reject("sameAccount", "beneficiaryAccountNo");
  if (order.currency !== source.currency || order.currency !== beneficiary.currency) {
    return reject("currencyMismatch", "amount.currency");
  }
  return (
    rejectState(source, "sourceAccountNo") ??
    rejectPayeeState(beneficiary, "beneficiaryAccountNo") ??
    rejectPayment(order, source, () => rejectOverflow(order.amount, beneficiary)) ?? {
      kind: "effect",
      effect: {
        postings: [{ kind: "transfer", from: source.id, to: beneficiary.id, amount: order.amount }],
        dailyUses: [{ account: source.id, use: useAfter(source, order.day, order.amount) }],
      },
    }
  );
}
