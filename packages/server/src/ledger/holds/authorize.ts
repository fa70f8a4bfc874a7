/** Auth payment (63): a hold is checked like a payment, because its captures are not (spec D6, D9, D10). */
import { type Account, type DailyUse, useAfter } from "../accounts/account.ts";
import { mayDebit, rejectPayment, rejectState } from "../accounts/debit.ts";
import { type Hold, type HoldTerms, placeHold } from "./hold.ts";
import { type Decision, reject } from "../rejection.ts";

export interface AuthorizationOrder extends Omit<HoldTerms, "payer" | "settlement"> {
  /** True: the partner itself names the payer; otherwise its customer or the merchant's terms do. */
  readonly isNamedByPartner: boolean;
  /** Business day it is decided on. */
  readonly day: number;
}

export interface AuthorizationEffect {
  readonly newHolds: readonly Hold[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
}

export const shortestHoldMs = 60_000;
export const longestHoldMs = 90 * 86_400_000;

/** `settlement`: the merchant's account. The held amount counts towards the daily limit, also after its release. */
export function decideAuthorization(
  order: AuthorizationOrder,
  payer: Account | undefined,
  settlement: Account | undefined,
): Decision<AuthorizationEffect> {
  const { isNamedByPartner, day, ...terms } = order;
  // Requests give whole seconds: what was 60 s ahead when the caller wrote it is 60 s ahead within that second.
  const second = terms.at - (terms.at % 1_000);
  if (terms.expiresAt - second < shortestHoldMs || terms.expiresAt - terms.at > longestHoldMs) {
    return reject("validityOutOfRange", "additionalInfo.validUpTo");
  }
  if (!settlement) return reject("unknownMerchant");
  if (!payer || payer.purpose !== "customer") return reject("accountNotPermitted");
  if (isNamedByPartner && !mayDebit(payer, terms.partner)) return reject("accountNotPermitted");
  if (payer.id === settlement.id) return reject("sameAccount");
  if (terms.currency !== payer.currency || terms.currency !== settlement.currency) {
    return reject("currencyMismatch", "amount.currency");
  }
  return (
    rejectState(payer, "additionalInfo.sourceAccountNo") ??
    rejectState(settlement, "merchantId") ??
    rejectPayment({ amount: terms.held, day }, payer) ?? {
      kind: "effect",
      effect: {
        newHolds: [placeHold({ ...terms, payer: payer.id, settlement: settlement.id })],
        dailyUses: [{ account: payer.id, use: useAfter(payer, day, terms.held) }],
      },
    }
  );
}
