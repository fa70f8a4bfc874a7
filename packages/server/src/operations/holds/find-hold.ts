/** Finds the hold of a capture, void or refund and checks owner and references. */
import type { Money } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import type { Context } from "../../engine/command.ts";
import type { LockedHold } from "../../engine/rows/holds.ts";
import type { LockedRows } from "../../engine/rows/lock-order.ts";
import { merchantKeyOf } from "../../ledger/reference/reference-data.ts";
import { fromReferenceNo } from "../../basics/ids.ts";
import type { Minor } from "../../ledger/money.ts";
import type { InternalAccounts } from "../../ledger/accounts/unapplied-funds.ts";
import { holdAt } from "../../ledger/holds/hold.ts";
import { type HoldReferences, rejectReferences } from "../../ledger/holds/references.ts";
import { holdState, holdStates } from "../../ledger/holds/states.ts";
import { type Rejected, reject } from "../../ledger/rejection.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { lacksCustomerToken } from "../merchant.ts";
import { withDecimals, writeMoney } from "../money.ts";

/** References to the hold, by field. */
export interface HoldRequest {
  readonly originalReferenceNo?: string;
  readonly originalPartnerReferenceNo?: string;
  readonly merchantId?: string;
  readonly subMerchantId?: string;
  readonly externalStoreId?: string;
}

export interface HoldCall {
  readonly request: HoldRequest;
  readonly partner: string;
  readonly customerAccountNo: string | undefined;
}

/** Id for a number that cannot be one of ours. */
const noHold = "00000000-0000-0000-0000-000000000000";

export function holdIdOf(referenceNo: string): string {
  return fromReferenceNo(referenceNo) ?? noHold;
}

export function referencesOf({ request, partner }: Pick<HoldCall, "request" | "partner">): HoldReferences {
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId, externalStoreId } = request;
  return {
    partner,
    id: originalReferenceNo === undefined ? undefined : holdIdOf(originalReferenceNo),
    partnerReferenceNo: originalPartnerReferenceNo,
    merchantId,
    subMerchantId,
    externalStoreId,
  };
}

/**
 * Spec D2, step 14: exists and is the caller's, then references. A customer token must be the payer's; whether the
 * merchant requires one is checked again here, because a refund need not name it.
 */
export function findOwnHold(
  order: HoldCall,
  found: LockedRows,
  { reference }: Context,
): { readonly ok: true; readonly value: LockedHold } | { readonly ok: false; readonly rejected: Rejected } {
  const value = found.hold();
  const rejected = rejectReferences(value?.hold, referencesOf(order));
  if (rejected || !value) return { ok: false, rejected: rejected ?? reject("originalNotFound") };
  const { customerAccountNo } = order;
  if (customerAccountNo !== undefined && customerAccountNo !== value.payer.accountNo) {
    return { ok: false, rejected: reject("referencesDisagree") };
  }
  const merchant = reference.merchants.get(merchantKeyOf(order.partner, value.hold.merchantId));
  if (lacksCustomerToken(order, merchant)) return { ok: false, rejected: reject("customerTokenMissing") };
  return { ok: true, value };
}

/** Amount that the request named, else the one that would apply (spec D8): `0.00` where the caller has no such hold. */
export function amountThatApplies(
  asked: Money | undefined,
  order: HoldCall,
  found: LockedRows,
  defaultAmount: (found: LockedHold) => Minor,
): Money {
  if (asked) return withDecimals(asked);
  const value = found.hold();
  if (!value || rejectReferences(value.hold, { partner: order.partner })) return zeroAmount;
  return writeMoney({ amount: defaultAmount(value), currency: value.hold.currency });
}

export const zeroAmount: Money = { value: "0.00", currency: "IDR" };

/** Internal accounts for a decision; one that does not exist yet is opened with the given id. */
export function internalAccounts(found: LockedRows, newId: string): InternalAccounts {
  return { find: (purpose, currency) => found.internalAccount(purpose, currency), newId };
}

/** Latest status of a hold, for repeats and service 64 (spec D10). */
export async function statusOfHold(id: string, { reads, clock }: { readonly reads: Reads; readonly clock: Clock }) {
  const { hold } = (await reads.findHold(id)) ?? {};
  if (!hold) throw new Error(`the hold of write ${id} is not there`);
  return holdStates[holdState(holdAt(hold, clock.now()))].status;
}
