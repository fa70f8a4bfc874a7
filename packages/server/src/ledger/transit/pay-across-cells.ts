/**
 * A payment to an account in another cell: final where the payer is, by a credit to the account of what goes to that cell. Whether
 * the payee may be credited was read there without a lock; a credit that it cannot take any more is diverted (`mirror.ts`).
 */
import { type Account, useAfter } from "../accounts/account.ts";
import { mayDebit, rejectOverflow, rejectPayeeState, rejectPayment, rejectState } from "../accounts/debit.ts";
import { type Decision, reject } from "../rejection.ts";
import type { IntrabankEffect, IntrabankOrder } from "../transfers/intrabank.ts";
import { openOut, type OutAccount } from "./transit-account.ts";

export interface AcrossOrder extends IntrabankOrder {
  /** The payee's. */
  readonly cell: number;
}

export interface AcrossEffect extends IntrabankEffect {
  readonly newAccounts: readonly Account[];
  /** Version of the transit account's entry: once the mirror has it, the payee has the money. */
  readonly transitVersion: number;
}

/** A transfer (17) across cells; rejections in the order of one within the cell (`intrabank.ts`). */
export function decideTransferAcrossCells(
  order: AcrossOrder,
  source: Account | undefined,
  payeeSeen: Account | undefined,
  out: OutAccount,
): Decision<AcrossEffect> {
  if (!source || !mayDebit(source, order.partner)) return reject("accountNotPermitted", "sourceAccountNo");
  return payAcrossCells(order, source, payeeSeen, out);
}

/** The same once it is known that the account may be debited. `payeeSeen`: as the other cell has it; undefined: it has none. */
export function payAcrossCells(
  order: AcrossOrder,
  source: Account,
  payeeSeen: Account | undefined,
  out: OutAccount,
): Decision<AcrossEffect> {
  if (!payeeSeen || payeeSeen.purpose !== "customer") return reject("unknownBeneficiary", "beneficiaryAccountNo");
  // Two numbers of one database.
  if (source.id === payeeSeen.id) return reject("sameAccount", "beneficiaryAccountNo");
  if (order.currency !== source.currency || order.currency !== payeeSeen.currency) {
    return reject("currencyMismatch", "amount.currency");
  }
  const transit = openOut(out, order.cell, order.currency);
  const rejectFull = () => rejectOverflow(order.amount, payeeSeen) ?? rejectOverflow(order.amount, transit);
  return (
    rejectState(source, "sourceAccountNo") ??
    rejectPayeeState(payeeSeen, "beneficiaryAccountNo") ??
    rejectPayment(order, source, rejectFull) ?? {
      kind: "effect",
      effect: {
        postings: [{ kind: "transfer", from: source.id, to: transit.id, amount: order.amount }],
        dailyUses: [{ account: source.id, use: useAfter(source, order.day, order.amount) }],
        newAccounts: out.found ? [] : [transit],
        transitVersion: transit.version + 1,
      },
    }
  );
}
