/** Accepting a transfer that leaves the bank (18, 22, 23): what it takes waits on the rail's suspense account (D11). */
import { type Account, type DailyUse, useAfter } from "./account.ts";
import { mayDebit, refuseFunds, refusePayment, refuseState } from "./debit.ts";
import { type FeeType, splitFee } from "./fee-split.ts";
import { findBank } from "./find-bank.ts";
import { type Minor, minor } from "./money.ts";
import type { Movement } from "./movement.ts";
import { newOwnAccount } from "./own-accounts.ts";
import type { RailData, RailName } from "./rail.ts";
import { refuseHours } from "./rail-hours.ts";
import { refuseRailAmount } from "./rail-limits.ts";
import { acceptTransfer, type RailTransfer } from "./rail-transfer.ts";
import { type Decision, refuse } from "./refusal.ts";

export interface RailOrder {
  readonly id: string;
  /** Internal id of the partner who asks. */
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly rail: RailName;
  /** What the request says: limits and daily totals look at it. */
  readonly amount: Minor;
  readonly currency: string;
  readonly feeType: FeeType | undefined;
  readonly beneficiaryBankCode: string;
  /** Business time (epoch ms), and its business day. */
  readonly now: number;
  readonly day: number;
  /** Id of the rail's suspense account, should it have to be opened. */
  readonly suspenseId: string;
}

export interface AcceptEffect {
  readonly accepts: readonly RailTransfer[];
  readonly movements: readonly Movement[];
  readonly opens: readonly Account[];
  readonly uses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/** In the order of decision D2, step 14: whose it is, the bank, state, hours, amount, counts and daily limit, funds. */
export function decideRailTransfer(
  order: RailOrder,
  source: Account | undefined,
  suspense: Account | undefined,
  data: RailData,
): Decision<AcceptEffect> {
  const { id, partner, service, rail, amount, currency, now, day } = order;
  const terms = data.rails[rail];
  if (!source || !mayDebit(source, partner)) return refuse("accountNotPermitted", "sourceAccountNo");
  const bank = findBank(data, order.beneficiaryBankCode);
  if (!bank) return refuse("bankUnknown", "beneficiaryBankCode");
  if (bank === "own") return refuse("ownBank", "beneficiaryBankCode");
  if (currency !== source.currency || currency !== terms.currency) return refuse("currencyMismatch", "amount.currency");
  const blocked = refuseState(source, "sourceAccountNo");
  if (blocked) return blocked;
  const closed = refuseHours(terms, data.holidays, now);
  if (closed) return closed;
  const outOfRange = refuseRailAmount(amount, terms);
  if (outOfRange) return outOfRange;
  const fee = splitFee({ ...terms, amount, feeType: order.feeType });
  if (fee.kind === "refusal") return fee;
  const { travels, taken } = fee;
  const refused = refusePayment({ amount, day }, source) ?? refuseFunds(taken, source);
  if (refused) return refused;
  const to = suspense ?? newOwnAccount(order.suspenseId, "suspense", currency, rail);
  const transfer = acceptTransfer({
    id,
    partner,
    service,
    rail,
    source: source.id,
    currency,
    travels,
    fee: minor(taken - travels),
    counted: amount,
    day,
    at: now,
  });
  return {
    kind: "effect",
    effect: {
      accepts: [transfer],
      movements: [{ kind: "submission", from: source.id, to: to.id, amount: taken }],
      opens: suspense ? [] : [to],
      uses: [{ account: source.id, use: useAfter(source, day, amount) }],
    },
  };
}
