/** What the queries 64, 66 and 68 share: whose hold it is, and whether all that was said of it fits (spec D10, D19). */
import type { Call, Reply } from "../../call.ts";
import type { Clock } from "../../clock.ts";
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

/** The reply where the merchant a query names asks for a customer's token and there is none. */
export function rejectWithoutToken(call: Call, { reference }: QueryDeps): Reply | undefined {
  return lacksCustomerToken(call, merchantOf(call, reference())) ? customerTokenNotFound : undefined;
}

/** Whether a hold is the caller's and all that the query says of it fits; a customer's token must be its payer's. */
export function isOwn({ hold, payerAccountNo }: FoundHold, call: Call): boolean {
  const { customerAccountNo } = call;
  if (customerAccountNo !== undefined && customerAccountNo !== payerAccountNo) return false;
  const request: HoldRequest = call.request;
  return rejectReferences(hold, referencesOf({ request, partner: call.partner.key })) === undefined;
}

/** A query need not name the merchant; one that asks for a customer's token is then asked here. */
export function lacksTokenOf({ hold }: FoundHold, call: Call, { reference }: QueryDeps): boolean {
  return lacksCustomerToken(call, reference().merchants.get(merchantKeyOf(hold.partner, hold.merchantId)));
}

/** Whether a rejected request said the same of its hold as the query does. */
export function saysTheSame(
  rejected: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): boolean {
  return fields.every((name) => query[name] === undefined || query[name] === rejected[name]);
}

/** Of a write of the caller's by its own number, behind the reference of the hold it counts in, if it does. */
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
