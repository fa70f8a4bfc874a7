/** 15: who holds an account of ours (decision D16). */
import type { RequestOf } from "@titian/contract";
import type { Handler } from "../call.ts";
import type { Reads } from "../store/reads/reads.ts";

export function handleInternalAccountInquiry({ reads }: { readonly reads: Reads }): Handler {
  return async (call) => {
    const { beneficiaryAccountNo } = call.request as RequestOf<"internalAccountInquiry">;
    const account = await reads.findAccountByNumber(beneficiaryAccountNo);
    if (!account || account.purpose !== "customer")
      return { case: "invalidAccount", reason: "Unknown beneficiary account" };
    if (account.status === "closed") return { case: "inactiveAccount" };
    return {
      case: "success",
      fields: {
        beneficiaryAccountName: account.name,
        beneficiaryAccountNo: account.accountNo,
        beneficiaryAccountStatus: account.status,
        beneficiaryAccountType: account.type,
        currency: account.currency,
      },
    };
  };
}
