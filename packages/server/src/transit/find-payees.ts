/**
 * Payees of entries: the account that the payment names; for money that no payment names a merchant's settlement account in the cell that has
 * those, else its own account in the cell; and the account itself, where it has moved.
 */
import { merchantOfAccount } from "../ledger/transit/merchant-account.ts";
import type { StoredTransitEntry } from "../store/reads/transit.ts";

/** Id of a merchant's settlement account, by the merchant's key. */
export type FindSettlement = (merchant: string) => Promise<string | undefined>;

export type Payee = { readonly id: string } | { readonly accountNo: string };

/** An entry, and the account that it is for; undefined: its payment's record is missing or unreadable, or its merchant unknown. */
export interface PaidEntry {
  readonly entry: StoredTransitEntry;
  readonly payee: Payee | undefined;
}

interface MerchantsOfCell {
  readonly findSettlement?: FindSettlement | undefined;
}

/** In the order of the entries. */
export async function findPayees(
  cell: MerchantsOfCell,
  entries: readonly StoredTransitEntry[],
): Promise<readonly PaidEntry[]> {
  const owners = await findOwners(cell, entries);
  return entries.map((entry) => ({
    entry,
    payee: entry.of === "payment" ? payeeOf(entry.payload) : owners.get(entry.ownerNo ?? ""),
  }));
}

/** Owners of money that no payment names, by the account that it is from. */
async function findOwners(
  { findSettlement }: MerchantsOfCell,
  entries: readonly StoredTransitEntry[],
): Promise<ReadonlyMap<string, Payee>> {
  const owners = new Map<string, Payee>();
  for (const { ownerNo: accountNo, of } of entries) {
    if (accountNo === undefined || owners.has(accountNo)) continue;
    const isMerchants = findSettlement !== undefined && of === "sweep";
    if (!isMerchants) owners.set(accountNo, { accountNo });
    const merchant = isMerchants ? merchantOfAccount(accountNo)?.merchant : undefined;
    const id = merchant === undefined ? undefined : await findSettlement?.(merchant);
    if (id !== undefined) owners.set(accountNo, { id });
  }
  return owners;
}

function payeeOf(payload: string | undefined): Payee | undefined {
  try {
    const { to, request } = JSON.parse(payload ?? "{}") as {
      to?: unknown;
      request?: { beneficiaryAccountNo?: unknown };
    };
    const number = to ?? request?.beneficiaryAccountNo;
    // PostgreSQL rejects a text with NUL; numbers of our own have a colon, and no payment names one.
    const isPayee = typeof number === "string" && !number.includes("\0") && !number.includes(":");
    return isPayee ? { accountNo: number } : undefined;
  } catch {
    return undefined;
  }
}
