/** The originators of a transfer (specification, shared shapes). */
import { mandatory } from "../fields/field.ts";
import { AccountName, AccountNo, BankCode, listOf } from "../fields/types.ts";

/** One entry of `originatorInfos`; all its fields are mandatory (spec D5). */
const originatorInfo = {
  originatorCustomerNo: mandatory(AccountNo),
  originatorCustomerName: mandatory(AccountName),
  originatorBankCode: mandatory(BankCode),
};

/** The standard gives no maximum (its samples hold up to 4); 100 is this provider's, so that every list is bounded. */
export const OriginatorInfos = listOf(originatorInfo, { min: 0, max: 100 });
