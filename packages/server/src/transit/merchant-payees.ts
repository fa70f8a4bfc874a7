/** Payees of merchants' money: the settlement account in the cell that has those, else the merchant's own account in the cell. */
import { merchantOfAccount } from "../ledger/transit/merchant-account.ts";
import type { StoredTransitEntry } from "../store/reads/transit.ts";

/** Id of a merchant's settlement account, by the merchant's key. */
export type FindSettlement = (merchant: string) => Promise<string | undefined>;

export type Payee = { readonly id: string } | { readonly accountNo: string };

interface MerchantsOfCell {
  readonly findSettlement?: FindSettlement | undefined;
}

/** By entry; undefined: it is a payment's, or its merchant is unknown. */
export async function findMerchantPayees(
  { findSettlement }: MerchantsOfCell,
  entries: readonly StoredTransitEntry[],
): Promise<(entry: StoredTransitEntry) => Payee | undefined> {
  const payees = new Map<string, Payee>();
  for (const { merchantAccountNo: accountNo } of entries) {
    if (accountNo === undefined || payees.has(accountNo)) continue;
    if (!findSettlement) payees.set(accountNo, { accountNo });
    const merchant = findSettlement && merchantOfAccount(accountNo)?.merchant;
    const id = merchant === undefined ? undefined : await findSettlement?.(merchant);
    if (id !== undefined) payees.set(accountNo, { id });
  }
  return ({ merchantAccountNo }) => (merchantAccountNo === undefined ? undefined : payees.get(merchantAccountNo));
}
