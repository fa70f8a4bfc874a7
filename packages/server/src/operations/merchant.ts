/** The merchant of a request, and whether it requires a customer token (spec D2, step 12). */
import type { Call } from "../interfaces/call.ts";
import { type MerchantTerms, merchantKeyOf, type Reference } from "../ledger/reference/reference-data.ts";

export function merchantOf({ request, partner }: Call, reference: Reference): MerchantTerms | undefined {
  const { merchantId } = request;
  return typeof merchantId === "string" ? reference.merchants.get(merchantKeyOf(partner.key, merchantId)) : undefined;
}

export function lacksCustomerToken(
  { customerAccountNo }: { readonly customerAccountNo?: string | undefined },
  merchant: MerchantTerms | undefined,
): boolean {
  return merchant?.customerTokenRequired === true && customerAccountNo === undefined;
}
