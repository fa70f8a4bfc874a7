/** Intrabank transfer (17): both accounts are ours, decided and final in one command (decisions D6, D11). */
import { type Account, type DailyUse, useAfter } from "./account.ts";
import { mayDebit, refuseOverflow, refusePayment, refuseState } from "./debit.ts";
import type { Minor } from "./money.ts";
import type { Movement } from "./movement.ts";
import { type Decision, refuse } from "./refusal.ts";

export interface IntrabankOrder {
  /** Internal id of the partner who asks. */
  readonly partner: string;
  readonly amount: Minor;
  readonly currency: string;
  /** Business day the order is decided on. */
  readonly day: number;
}

export interface IntrabankEffect {
  readonly movements: readonly Movement[];
  readonly uses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/**
 * Decides an intrabank transfer. If several refusals apply, the first of this order is answered (decision D2, step 14):
 * exists and is the caller's, belongs together, state, amount, counts and daily limit, funds.
 */
export function decideIntrabankTransfer(
  order: IntrabankOrder,
  source: Account | undefined,
  beneficiary: Account | undefined,
): Decision<IntrabankEffect> {
  if (!source || !mayDebit(source, order.partner)) return refuse("accountNotPermitted", "sourceAccountNo");
  if (!beneficiary || beneficiary.purpose !== "customer") return refuse("unknownBeneficiary", "beneficiaryAccountNo");
  if (source.id === beneficiary.id) return refuse("sameAccount", "beneficiaryAccountNo");
  if (order.currency !== source.currency || order.currency !== beneficiary.currency) {
    return refuse("currencyMismatch", "amount.currency");
  }
  return (
    refuseState(source, "sourceAccountNo") ??
    refuseState(beneficiary, "beneficiaryAccountNo") ??
    refusePayment(order, source, () => refuseOverflow(order.amount, beneficiary)) ?? {
      kind: "effect",
      effect: {
        movements: [{ kind: "transfer", from: source.id, to: beneficiary.id, amount: order.amount }],
        uses: [{ account: source.id, use: useAfter(source, order.day, order.amount) }],
      },
    }
  );
}
