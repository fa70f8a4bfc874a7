/** Writes a transfer back that its rail carried and the ledger has forgotten (spec D11): as it was accepted, by an act. */
import { type Debited, debitRestored, type RestoredAccounts } from "../accounts/restored-funds.ts";
import { newInternalAccount } from "../accounts/internal-accounts.ts";
import type { Account } from "../accounts/account.ts";
import type { Act } from "../act.ts";
import { minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import { acceptTransfer, type RailTransfer, type RailTransferTerms } from "./transfer.ts";

export interface AdoptionOrder {
  readonly terms: Omit<RailTransferTerms, "source" | "bulk">;
  readonly actId: string;
  /** Id of the part of the suspense account, should it have to be opened. */
  readonly suspenseId: string;
}

export interface AdoptionEffect {
  readonly newTransfers: readonly RailTransfer[];
  readonly postings: readonly Posting[];
  readonly newAccounts: readonly Account[];
  readonly dailyUses: Debited["dailyUses"];
  readonly act: Act;
}

export interface Adoption {
  readonly effect: AdoptionEffect;
  readonly debited: Debited;
}

/** The rail has it: it is pending, and what the rail reports of it ends it like any other. */
export function adoptTransfer(
  { terms, actId, suspenseId }: AdoptionOrder,
  suspense: Account | undefined,
  accounts: RestoredAccounts,
): Adoption {
  const { partner, currency, rail, suspensePart, dailyLimitAmount, businessDate: day } = terms;
  const amount = minor(terms.sentAmount + terms.fee);
  const debit = { partner, currency, amount, dailyAmount: dailyLimitAmount, count: 1, day };
  const debited = debitRestored(debit, accounts);
  const to = suspense ?? newInternalAccount(suspenseId, "suspense", currency, rail, suspensePart);
  const transfer: RailTransfer = { ...acceptTransfer({ ...terms, source: debited.account.id }), state: "pending" };
  const effect: AdoptionEffect = {
    newTransfers: [transfer],
    postings: [{ kind: "submission", from: debited.account.id, to: to.id, amount }],
    newAccounts: [...debited.newAccounts, ...(suspense ? [] : [to])],
    dailyUses: debited.dailyUses,
    act: { id: actId },
  };
  return { effect, debited };
}
