/** Accepts a transfer over a rail (18, 22, 23, an approved 19): amount and fee go to the rail's suspense account (spec D11). */
import { type Account, type DailyUse, useAfter } from "../accounts/account.ts";
import { mayDebit, rejectFunds, rejectPayment, rejectState } from "../accounts/debit.ts";
import { type FeeType, splitFee } from "./fees.ts";
import { findBank } from "../rails/banks.ts";
import { type Minor, minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import type { RailData, RailName } from "../rails/terms.ts";
import { rejectHours } from "../rails/hours.ts";
import { rejectRailAmount } from "../rails/limits.ts";
import { acceptTransfer, type RailTransfer } from "./transfer.ts";
import { type Decision, reject } from "../rejection.ts";

export interface RailOrder {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Service code as a number. */
  readonly service: number;
  readonly rail: RailName;
  /** Amount of the request: limits and daily totals count it. */
  readonly amount: Minor;
  readonly currency: string;
  readonly feeType: FeeType | undefined;
  readonly beneficiaryBankCode: string;
  /** Business time (epoch ms), and its business day. */
  readonly now: number;
  readonly day: number;
  /** Part of the rail's suspense account. */
  readonly suspensePart: number;
  /** Id of that part, should it have to be opened. */
  readonly suspenseId: string;
}

export interface AcceptEffect {
  readonly newTransfers: readonly RailTransfer[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
}

/** In the order of spec D2, step 14: owner, bank, state, hours, amount, counts and daily limit, funds. */
export function decideRailTransfer(
  order: RailOrder,
  source: Account | undefined,
  suspense: Account | undefined,
  data: RailData,
): Decision<AcceptEffect> {
  if (!source || !mayDebit(source, order.partner)) return reject("accountNotPermitted", "sourceAccountNo");
  return payOverRail(order, source, suspense, data);
}

/** The same once it is known that the account may be debited: its partner may, or its holder approved. */
export function payOverRail(
  order: RailOrder,
  source: Account,
  suspense: Account | undefined,
  data: RailData,
): Decision<AcceptEffect> {
  const { id, partner, service, rail, amount, currency, now, day } = order;
  const terms = data.rails[rail];
  const bank = findBank(data, order.beneficiaryBankCode);
  if (!bank) return reject("bankUnknown", "beneficiaryBankCode");
  if (bank === "own") return reject("ownBank", "beneficiaryBankCode");
  if (currency !== source.currency || currency !== terms.currency) return reject("currencyMismatch", "amount.currency");
  const blocked = rejectState(source, "sourceAccountNo");
  if (blocked) return blocked;
  const closed = rejectHours(terms, data.holidays, now);
  if (closed) return closed;
  const outOfRange = rejectRailAmount(amount, terms);
  if (outOfRange) return outOfRange;
  const fee = splitFee({ ...terms, amount, feeType: order.feeType });
  if (fee.kind === "rejection") return fee;
  const { sentAmount, debited } = fee;
  const rejected = rejectPayment({ amount, day }, source) ?? rejectFunds(debited, source);
  if (rejected) return rejected;
  const { suspensePart } = order;
  const to = suspense ?? newInternalAccount(order.suspenseId, "suspense", currency, rail, suspensePart);
  const transfer = acceptTransfer({
    id,
    partner,
    service,
    rail,
    source: source.id,
    currency,
    suspensePart,
    sentAmount,
    fee: minor(debited - sentAmount),
    dailyLimitAmount: amount,
    businessDate: day,
    at: now,
  });
  return {
    kind: "effect",
    effect: {
      newTransfers: [transfer],
      postings: [{ kind: "submission", from: source.id, to: to.id, amount: debited }],
      newAccounts: suspense ? [] : [to],
      dailyUses: [{ account: source.id, use: useAfter(source, day, amount) }],
    },
  };
}
