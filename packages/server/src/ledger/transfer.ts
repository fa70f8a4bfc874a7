/** Intrabank transfer (17): both accounts are ours, decided and final in one command (decisions D6, D11). */
import { type Account, type DailyUse, spendable, useAfter, useOn } from "./account.ts";
import { type Minor, maxMinor } from "./money.ts";
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
    refuseAmount(order, source, beneficiary) ?? {
      kind: "effect",
      effect: {
        movements: [{ kind: "transfer", from: source.id, to: beneficiary.id, amount: order.amount }],
        uses: [{ account: source.id, use: useAfter(source, order.day, order.amount) }],
      },
    }
  );
}

function mayDebit(account: Account, partner: string): boolean {
  return account.purpose === "customer" && account.partners.includes(partner);
}

function refuseState(account: Account, field: string) {
  if (account.status === "closed" || account.status === "blocked") return refuse("accountInactive", field);
  if (account.status === "dormant") return refuse("accountDormant", field);
  return undefined;
}

function refuseAmount(order: IntrabankOrder, source: Account, beneficiary: Account) {
  const { limits } = source;
  const use = useOn(source, order.day);
  if (order.amount <= 0n) return refuse("amountTooSmall", "amount.value");
  if (limits.each !== undefined && order.amount > limits.each) return refuse("overTransactionLimit", "amount.value");
  if (beneficiary.balance + order.amount > maxMinor) return refuse("overTransactionLimit", "amount.value");
  if (limits.dailyCount !== undefined && use.count + 1 > limits.dailyCount) return refuse("tooManyInPeriod");
  if (limits.daily !== undefined && use.total + order.amount > limits.daily) return refuse("overDailyLimit");
  const room = spendable(source);
  if (room !== undefined && order.amount > room) return refuse("insufficientFunds");
  return undefined;
}
