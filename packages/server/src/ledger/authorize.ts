/** Placing a hold (63): checked like a payment, because its captures are not checked again (decisions D6, D9, D10). */
import { type Account, type DailyUse, useAfter } from "./account.ts";
import { mayDebit, refusePayment, refuseState } from "./debit.ts";
import { type Hold, type HoldTerms, placeHold } from "./hold.ts";
import { type Decision, refuse } from "./refusal.ts";

export interface AuthorizationOrder extends Omit<HoldTerms, "payer" | "settlement"> {
  /** Whether the partner itself names the payer; otherwise its customer or the merchant's terms do. */
  readonly isNamedByPartner: boolean;
  /** Business day it is decided on. */
  readonly day: number;
}

export interface AuthorizationEffect {
  readonly places: readonly Hold[];
  readonly uses: readonly { readonly account: string; readonly use: DailyUse }[];
}

export const shortestHoldMs = 60_000;
export const longestHoldMs = 90 * 86_400_000;

/** `settlement` is the merchant's account. What is held counts as used on its day, and stays so when it is released. */
export function decideAuthorization(
  order: AuthorizationOrder,
  payer: Account | undefined,
  settlement: Account | undefined,
): Decision<AuthorizationEffect> {
  const { isNamedByPartner, day, ...terms } = order;
  const lasts = terms.expiresAt - terms.at;
  if (lasts < shortestHoldMs || lasts > longestHoldMs) {
    return refuse("validityOutOfRange", "additionalInfo.validUpTo");
  }
  if (!settlement) return refuse("unknownMerchant");
  if (!payer || payer.purpose !== "customer") return refuse("accountNotPermitted");
  if (isNamedByPartner && !mayDebit(payer, terms.partner)) return refuse("accountNotPermitted");
  if (payer.id === settlement.id) return refuse("sameAccount");
  if (terms.currency !== payer.currency || terms.currency !== settlement.currency) {
    return refuse("currencyMismatch", "amount.currency");
  }
  return (
    refuseState(payer, "additionalInfo.sourceAccountNo") ??
    refuseState(settlement, "merchantId") ??
    refusePayment({ amount: terms.held, day }, payer) ?? {
      kind: "effect",
      effect: {
        places: [placeHold({ ...terms, payer: payer.id, settlement: settlement.id })],
        uses: [{ account: payer.id, use: useAfter(payer, day, terms.held) }],
      },
    }
  );
}
