/** Shared by the queries 64, 66 and 68: owner of the hold, and matching references (spec D10, D19). */
import type { Call, Reply } from "../../interfaces/call.ts";
import type { Clock } from "../../basics/clock.ts";
import { partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { merchantKeyOf, type Reference } from "../../ledger/reference/reference-data.ts";
import { rejectReferences } from "../../ledger/holds/references.ts";
import type { FoundHold } from "../../store/reads/holds.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { lacksCustomerToken, merchantOf } from "../merchant.ts";
import { type HoldRequest, referencesOf } from "./find-hold.ts";

export interface QueryDeps {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly reference: () => Reference;
}

export const customerTokenNotFound: Reply = { case: "customerTokenNotFound" };

/** The reply where the named merchant requires a customer token and there is none. */
export function rejectWithoutToken(call: Call, { reference }: QueryDeps): Reply | undefined {
  return lacksCustomerToken(call, merchantOf(call, reference())) ? customerTokenNotFound : undefined;
}

/** True when the hold is the caller's and matches all references; a customer token must be the payer's. */
export function isOwn({ hold, payerAccountNo }: FoundHold, call: Call): boolean {
  const { customerAccountNo } = call;
  if (customerAccountNo !== undefined && customerAccountNo !== payerAccountNo) return false;
  const request: HoldRequest = call.request;
  return rejectReferences(hold, referencesOf({ request, partner: call.partner.key })) === undefined;
}

/** For a query without `merchantId`: whether the merchant of the hold requires a customer token. */
export function lacksTokenOf({ hold }: FoundHold, call: Call, { reference }: QueryDeps): boolean {
  return lacksCustomerToken(call, reference().merchants.get(merchantKeyOf(hold.partner, hold.merchantId)));
}

/** True when a rejected request has the references of the query. */
export function saysTheSame(
  rejected: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): boolean {
  return fields.every((name) => query[name] === undefined || query[name] === rejected[name]);
}

/** References to a request of the caller by its number, or by the hold and its number within the hold. */
export function byPartnerReference(call: Call, service: string, ...number: readonly string[]) {
  const partner = call.partner.key;
  return {
    partner,
    service: Number(service),
    id: undefined,
    externalIdKey: undefined,
    partnerReferenceKey: partnerReferenceKey(partner, service, ...number),
  };
}
