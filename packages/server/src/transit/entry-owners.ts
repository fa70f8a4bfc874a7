/**
 * Payees of money that no payment names: a merchant's settlement account in the cell that has those, else its own account in the cell; and
 * the account itself, where it has moved.
 */
import { merchantOfAccount } from "../ledger/transit/merchant-account.ts";
import type { StoredTransitEntry } from "../store/reads/transit.ts";

/** Id of a merchant's settlement account, by the merchant's key. */
export type FindSettlement = (merchant: string) => Promise<string | undefined>;

export type Payee = { readonly id: string } | { readonly accountNo: string };

interface MerchantsOfCell {
  readonly findSettlement?: FindSettlement | undefined;
}

/** By entry; undefined: it is a payment's, or its merchant is unknown. */
export async function findOwners(
  { findSettlement }: MerchantsOfCell,
  entries: readonly StoredTransitEntry[],
): Promise<(entry: StoredTransitEntry) => Payee | undefined> {
  const payees = new Map<string, Payee>();
  for (const { ownerNo: accountNo, of } of entries) {
    if (accountNo === undefined || payees.has(accountNo)) continue;
    const isMerchants = findSettlement !== undefined && of === "sweep";
    if (!isMerchants) payees.set(accountNo, { accountNo });
    const merchant = isMerchants ? merchantOfAccount(accountNo)?.merchant : undefined;
    const id = merchant === undefined ? undefined : await findSettlement?.(merchant);
    if (id !== undefined) payees.set(accountNo, { id });
  }
  return ({ ownerNo }) => (ownerNo === undefined ? undefined : payees.get(ownerNo));
}
